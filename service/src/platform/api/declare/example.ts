import type { Static, TSchema } from 'typebox'

/**
 * Builds a valid value from the examples in a schema, the same one on every call. An example of a whole object takes
 * precedence over those of its members, for members that depend on each other.
 */
export function exampleOf<Schema extends TSchema>(schema: Schema): Static<Schema> {
  return exampleValue(schema as JsonSchema) as Static<Schema>
}

interface JsonSchema {
  examples?: unknown[]
  const?: unknown
  default?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  minimum?: number
}

function exampleValue(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0]
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return exampleValue(schema.anyOf[0])
  switch (schema.type ?? '') {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [name, exampleValue(part)]),
      )
    case 'array':
      return schema.items ? [exampleValue(schema.items)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      // Generated text would be useless to a reader, so the schema must declare an example.
      throw new Error(`The schema ${JSON.stringify(schema)} has no example.`)
  }
}
