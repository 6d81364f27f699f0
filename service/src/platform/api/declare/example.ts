import type { Static, TSchema } from 'typebox'

/**
 * A value that a schema allows, made of the examples of its parts: the same one every time. An example of the whole
 * comes before those of its parts, for what the parts cannot know of each other.
 */
export function exampleOf<Schema extends TSchema>(schema: Schema): Static<Schema> {
  return exampleValue(schema as Plain) as Static<Schema>
}

interface Plain {
  examples?: unknown[]
  const?: unknown
  default?: unknown
  enum?: unknown[]
  anyOf?: Plain[]
  type?: string
  properties?: Record<string, Plain>
  items?: Plain
  minimum?: number
}

function exampleValue(schema: Plain): unknown {
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
      // Text that we made up would tell a reader nothing, so whoever declares it says what it looks like.
      throw new Error(`There is no example for the schema ${JSON.stringify(schema)}.`)
  }
}
