import type { OpenApiDocument, OpenApiOperation, Schema } from '../sdk/openapi-document.ts'
import type { BodyMember, Kind, OperationDescription } from './src/base/operation-description.ts'

const keyHeader = 'X-Idempotency-Key'

/** Extracts what the command line needs from an operation in the OpenAPI document. */
export function describeOperation(
  operation: OpenApiOperation & { summary?: string; description?: string },
  document: OpenApiDocument,
): OperationDescription {
  const parameters = operation.parameters ?? []
  const of = (location: string) => parameters.filter((parameter) => parameter.in === location)
  const schema = operation.requestBody?.content['application/json']?.schema
  return {
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    takesKey: of('header').some(({ name }) => name === keyHeader),
    params: of('path').map(({ name }) => name),
    query: of('query').map(({ name, description = '', schema: own }) => ({
      name,
      ...kindOf(own, document),
      description,
    })),
    ...(schema ? { body: leavesOf(schema, document) } : {}),
  }
}

/** Returns every member of a body that a flag can set, including those of nested objects. */
function leavesOf(given: Schema, document: OpenApiDocument, path: readonly string[] = []): BodyMember[] {
  const { properties = {} } = resolve(given, document)
  return Object.entries(properties).flatMap(([name, member]) => {
    const schema = withoutNull(resolve(member, document), document)
    if (schema.type === 'object' && schema.properties) return leavesOf(schema, document, [...path, name])
    return [{ path: [...path, name], ...kindOf(schema, document), description: schema.description ?? '' }]
  })
}

function kindOf(schema: Schema, document: OpenApiDocument): Pick<Kind, 'kind' | 'choices'> {
  const choices = (schema.enum?.filter((choice) => choice !== '') ?? []) as string[]
  const kind = kindName(schema, document)
  return choices.length > 0 ? { kind, choices } : { kind }
}

function kindName({ type, items, enum: choices, anyOf }: Schema, document: OpenApiDocument): Kind['kind'] {
  if (type === 'integer' || type === 'boolean' || type === 'number') return type
  if (type === 'array') return items && kindName(resolve(items, document), document) === 'text' ? 'list' : 'json'
  const isText = type === 'string' || choices !== undefined || (type === undefined && anyOf === undefined)
  return isText || anyOf?.every((one) => one.type === 'string' || one.enum) ? 'text' : 'json'
}

/** Removes null, which a flag cannot send: the user leaves the flag out instead. */
function withoutNull(schema: Schema, document: OpenApiDocument): Schema {
  const [value, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (!value || others.length > 0) return schema
  const { anyOf: _, ...rest } = schema
  return { ...resolve(value, document), ...rest }
}

function resolve(schema: Schema, document: OpenApiDocument): Schema {
  if (schema.$ref === undefined) return schema
  const found = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')]
  if (!found) throw new Error(`unresolved reference ${schema.$ref}`)
  return found
}
