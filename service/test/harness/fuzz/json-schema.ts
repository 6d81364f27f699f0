/** JSON Schema keywords that the contract uses. */
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

/** The location of a value in a body: the names and indexes that lead to it. */
export type FieldPath = readonly string[]

/** Returns all strings in a schema, including enums of strings. */
export function stringFields(schema: JsonSchema, field: FieldPath = []): { field: FieldPath; schema: JsonSchema }[] {
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => stringFields(member, [...field, name]))
  if (schema.type === 'array') return stringFields(schema.items ?? {}, [...field, '0'])
  if (schema.anyOf) return schema.anyOf.flatMap((choice) => stringFields(choice, field))
  const isText = schema.type === 'string' || schema.enum?.some((value) => typeof value === 'string')
  return isText ? [{ field, schema }] : []
}

/** Returns a valid value with every optional member. */
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
  return schema.format === 'uuid' ? crypto.randomUUID() : 'x'.repeat(schema.minLength ?? 1)
}

export function valueAt(body: unknown, field: FieldPath): unknown {
  return field.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)
}

/** Returns a copy of the body with another value at this location. */
export function withValueAt(body: unknown, field: FieldPath, value: unknown): unknown {
  const [name, ...rest] = field
  if (name === undefined) return value
  const changed = withValueAt((body as Record<string, unknown>)[name], rest, value)
  return Array.isArray(body) ? body.with(Number(name), changed) : { ...(body as object), [name]: changed }
}
