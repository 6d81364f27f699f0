// Writes src/base/generated from service/openapi.json; a test compares what is committed with what this would write.
import { readFileSync, writeFileSync } from 'node:fs'
import { type OpenApiDocument, type OpenApiOperation, operationsOf, type Schema } from '../sdk/openapi-document.ts'

const keyHeader = 'X-Idempotency-Key'

export function generate(): string {
  const document: OpenApiDocument = JSON.parse(
    readFileSync(new URL('../service/openapi.json', import.meta.url), 'utf8'),
  )
  const rows = Object.fromEntries(
    operationsOf(document).map(({ operation }) => [operation.operationId, describe(operation, document)]),
  )
  const { EventPage, AuthRequest, Event } = document.components.schemas
  if (!EventPage || !AuthRequest || !Event) throw new Error('the document has no events or no scopes any more')
  return `// Made by \`npm run cli:generate\` from service/openapi.json. Do not edit.
import type { OperationFacts } from '../operation-facts.ts'

export const apiVersion = ${JSON.stringify(document.info.version)}

export const allScopes = ${literal(AuthRequest.properties?.['scopes']?.items?.enum ?? [])} as const

export const eventTypes = ${literal(Event.properties?.['type']?.enum ?? [])} as const

export const operations = ${literal(rows)} as const satisfies Record<string, OperationFacts>
`
}

function describe(operation: OpenApiOperation & { summary?: string; description?: string }, document: OpenApiDocument) {
  const parameters = operation.parameters ?? []
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const schema = operation.requestBody?.content['application/json']?.schema
  return {
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    takesKey: of('header').some(({ name }) => name === keyHeader),
    params: of('path').map(({ name }) => name),
    query: of('query').map(({ name, description = '', schema: own }) => ({ name, ...kindOf(own), description })),
    ...(schema ? { body: leavesOf(schema, document) } : {}),
  }
}

/** Every member of a body that one flag can carry: those of objects in objects too. */
function leavesOf(given: Schema, document: OpenApiDocument, path: readonly string[] = []): unknown[] {
  const { properties = {} } = resolve(given, document)
  return Object.entries(properties).flatMap(([name, member]) => {
    const schema = resolve(member, document)
    if (schema.type === 'object') return leavesOf(schema, document, [...path, name])
    return [{ path: [...path, name], ...kindOf(schema), description: schema.description ?? '' }]
  })
}

function kindOf(schema: Schema): { kind: string; choices?: readonly unknown[] } {
  const choices = schema.enum?.filter((choice) => choice !== '') ?? []
  const kind = schema.type === 'integer' || schema.type === 'boolean' ? schema.type : 'text'
  return choices.length > 0 ? { kind, choices } : { kind }
}

function resolve(schema: Schema, document: OpenApiDocument): Schema {
  if (schema.$ref === undefined) return schema
  const found = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')]
  if (!found) throw new Error(`there is no ${schema.$ref}`)
  return found
}

function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

if (import.meta.main) writeFileSync(new URL('src/base/generated/operations.ts', import.meta.url), generate())
