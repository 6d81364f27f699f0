import { type Components, type Direction, type Schema, schemaChanges } from './schema-changes.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string; readonly headers?: object }>>
  readonly 'x-scopes'?: readonly string[]
  readonly 'x-duty'?: string
}

/** The parts of an OpenAPI document that callers depend on. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Components }
}

/**
 * Returns the changes in `after` that break callers written for `before`, one sentence each. Written by ourselves: the
 * libraries on npm either do not read OpenAPI 3.1 or accept what they do not know; our documents use few keywords.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, was]) => {
      const name = `${method.toUpperCase()} ${path}`
      const is = after.paths[path]?.[method]
      if (!is) return [`${name} was removed`]
      const compare: Compare = (schemas, at, direction) =>
        schemaChanges(schemas, at, {
          before: before.components.schemas,
          after: after.components.schemas,
          direction,
          underWay: new Set(),
        })
      return [
        ...accessChanges(was, is),
        ...parameterChanges(was, is, compare),
        ...bodyChanges(was, is, compare),
        ...responseChanges(was, is, compare),
      ].map((change) => `${name} ${change}`)
    }),
  )
}

type Compare = (schemas: readonly [Schema, Schema], at: string, direction: Direction) => string[]

function accessChanges(was: Operation, is: Operation): string[] {
  const scopes = (is['x-scopes'] ?? []).filter((scope) => !was['x-scopes']?.includes(scope))
  return [
    ...scopes.map((scope) => `needs the scope ${scope} now`),
    ...(was['x-duty'] === is['x-duty'] ? [] : [`needed the duty ${was['x-duty']} and needs ${is['x-duty']}`]),
  ]
}

function parameterChanges(was: Operation, is: Operation, compare: Compare): string[] {
  const keyOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`
  const before = new Map((was.parameters ?? []).map((one) => [keyOf(one), one]))
  const after = new Map((is.parameters ?? []).map((one) => [keyOf(one), one]))
  return [
    ...[...before].flatMap(([key, parameter]) => {
      const found = after.get(key)
      if (!found) return [`${key} was removed`]
      const isNeeded = found.required && !parameter.required ? [`${key} is required now`] : []
      return [...isNeeded, ...compare([parameter.schema, found.schema], key, 'request')]
    }),
    ...[...after]
      .filter(([key, { required }]) => required && !before.has(key))
      .map(([key]) => `${key} is new and required`),
  ]
}

function bodyChanges(was: Operation, is: Operation, compare: Compare): string[] {
  if (is.requestBody?.required && !was.requestBody?.required) return ['needs a request body now']
  return contentChanges([was.requestBody ?? {}, is.requestBody ?? {}], 'request', 'request', compare)
}

/** Compares only responses of success: all errors have one shape, and callers must expect each of them. */
function responseChanges(was: Operation, is: Operation, compare: Compare): string[] {
  return Object.entries(was.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) => {
      const found = is.responses[status]
      if (!found) return [`does not respond ${status} any more`]
      const headers = Object.keys(response.headers ?? {}).filter(
        (header) => !Object.hasOwn(found.headers ?? {}, header),
      )
      return [
        ...headers.map((header) => `${status} has no header ${header} any more`),
        ...contentChanges([response, found], status, 'response', compare),
      ]
    })
}

function contentChanges(
  [was, is]: readonly [Content, Content],
  at: string,
  direction: Direction,
  compare: Compare,
): string[] {
  return Object.entries(was.content ?? {}).flatMap(([type, { schema }]) => {
    const found = is.content?.[type]
    if (!found) return [`${at} is not ${type} any more`]
    return compare([schema ?? {}, found.schema ?? {}], at, direction)
  })
}
