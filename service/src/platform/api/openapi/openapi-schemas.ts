export type Json = Record<string, unknown>

/** Parts of the document that others refer to. */
export interface Components {
  readonly schemas: Json
  readonly responses: Json
}

/**
 * Converts a schema for the document: schemas with a title move to the components under that name, and keywords that
 * only our error messages use are left out.
 */
export function publishSchema(schema: unknown, components: Components): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, ...rest } = schema as Json
  const published = withType(
    Object.fromEntries(
      Object.entries(rest)
        .filter(([keyword]) => !privateKeywords.has(keyword))
        .map(([keyword, value]) => [keyword, publishKeyword(keyword, value, components)]),
    ),
  )
  if (typeof title !== 'string') return published
  const known = components.schemas[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(published))
    throw new Error(`Two different schemas have the title ${title}.`)
  components.schemas[title] = published
  return { $ref: `#/components/schemas/${title}` }
}

const privateKeywords: ReadonlySet<string> = new Set(['x-meaning'])
const schemaKeywords: ReadonlySet<string> = new Set(['items', 'not', 'if', 'then', 'else', 'additionalProperties'])
const listKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf'])

/** Descends only into schemas: an example may have a member with the name of a keyword. */
function publishKeyword(keyword: string, value: unknown, components: Components): unknown {
  if (schemaKeywords.has(keyword)) return publishSchema(value, components)
  if (listKeywords.has(keyword)) return (value as unknown[]).map((part) => publishSchema(part, components))
  if (keyword === 'properties')
    return Object.fromEntries(
      Object.entries(value as Json).map(([name, part]) => [name, publishSchema(part, components)]),
    )
  return value
}

/** Code generators need the type of an enumeration, which JSON Schema does not. */
function withType(schema: Json): Json {
  const values = schema['enum']
  const isText = Array.isArray(values) && values.every((value) => typeof value === 'string')
  return isText ? { type: 'string', ...schema } : schema
}
