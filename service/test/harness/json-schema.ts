/** The part of JSON Schema that the contract is written in. */
export interface JsonSchema {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: boolean
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
  examples?: readonly unknown[]
}

/** Where a value stands in a body: the names and indexes that lead to it. */
export type Place = readonly string[]

/** Every place below a schema that takes text, also text of a fixed choice. */
export function stringPlaces(schema: JsonSchema, place: Place = []): { place: Place; schema: JsonSchema }[] {
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => stringPlaces(member, [...place, name]))
  if (schema.type === 'array') return stringPlaces(schema.items ?? {}, [...place, '0'])
  if (schema.anyOf) return schema.anyOf.flatMap((choice) => stringPlaces(choice, place))
  const isText = schema.type === 'string' || schema.enum?.some((value) => typeof value === 'string')
  return isText ? [{ place, schema }] : []
}

/** A value that the schema takes, with every optional member there. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0])
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, member]) => [name, exampleOf(member)]),
    )
  if (schema.type === 'array') return [exampleOf(schema.items ?? {})]
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  return schema.pattern ? crypto.randomUUID() : 'x'.repeat(schema.minLength ?? 1)
}

export function valueAt(body: unknown, place: Place): unknown {
  return place.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)
}

/** A copy of the body with another value at this place. */
export function withValueAt(body: unknown, place: Place, value: unknown): unknown {
  const [name, ...rest] = place
  if (name === undefined) return value
  const changed = withValueAt((body as Record<string, unknown>)[name], rest, value)
  return Array.isArray(body) ? body.with(Number(name), changed) : { ...(body as object), [name]: changed }
}
