import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { isUnits, type OpenApiDocument, operationsOf, type Schema } from './openapi-document.ts'

/**
 * The schemas as types, and three more that say which of them an operation takes and gives. Of paths, parameters and
 * headers nothing is kept: the resources say those better, and the types would be four times as long.
 */
export async function generateSchemas(document: OpenApiDocument): Promise<string> {
  const { schemas } = document.components
  // An example of a whole object is longer than its type, and its conditions (allOf) are nothing that a type can say.
  const short = Object.entries(schemas).map(([name, schema]) => {
    return [name, { ...schema, examples: undefined, allOf: undefined }]
  })
  const all = {
    ...Object.fromEntries(short),
    Answers: answersOf(document),
    Bodies: bodiesOf(document),
    Queries: queriesOf(document),
  }
  const requestOnly = requestOnlySchemas(document)
  const nodes = await openapiTS(
    { openapi: '3.1.0', info: { title: '', version: '' }, components: { schemas: all } } as never,
    {
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      // A member with a default may be left out of a request.
      defaultNonNullable: false,
      transform: (schema, { path }) => {
        if (isUnits(schema as Schema)) return ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
        const [, component = ''] = /schemas\/(\w+)/.exec(path ?? '') ?? []
        const isOpen = !requestOnly.has(component) && component !== 'Queries'
        return isOpen ? openEnum(schema as Schema) : undefined
      },
    },
  )
  const text = astToString(nodes)
    .replace(/^export type (paths|webhooks|operations) = .*\n/gm, '')
    .replace(/^export type \$defs = .*\n/gm, '')
    .replace(/^ {4}(responses|parameters|requestBodies|headers|pathItems): never;\n/gm, '')
  return `// Made by \`npm run sdk:generate\` from service/openapi.json. Do not edit.\n\n${text}`
}

/** New values may come, so an answer's type must not promise that there are none; editors still suggest the known. */
function openEnum({ type, enum: values }: Schema): ts.TypeNode | undefined {
  if (type !== 'string' || !values) return undefined
  const known = values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(String(value))))
  const anyOther = ts.factory.createParenthesizedType(
    ts.factory.createIntersectionTypeNode([
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      ts.factory.createTypeLiteralNode([]),
    ]),
  )
  return ts.factory.createUnionTypeNode([...known, anyOther])
}

function answersOf(document: OpenApiDocument): Schema {
  return objectOf(
    operationsOf(document).flatMap(({ operation }) => {
      const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
      const schema = success?.content?.['application/json']?.schema
      return schema ? [[operation.operationId, schema] as const] : []
    }),
  )
}

function bodiesOf(document: OpenApiDocument): Schema {
  return objectOf(
    operationsOf(document).flatMap(({ operation }) => {
      const schema = operation.requestBody?.content['application/json']?.schema
      return schema ? [[operation.operationId, schema] as const] : []
    }),
  )
}

function queriesOf(document: OpenApiDocument): Schema {
  return objectOf(
    operationsOf(document).flatMap(({ operation }) => {
      const asked = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
      const members = asked.map(
        ({ name, description, schema }) =>
          [name, { ...schema, ...(description === undefined ? {} : { description }) }] as const,
      )
      const query = { type: 'object', properties: Object.fromEntries(members), additionalProperties: false }
      return asked.length > 0 ? [[operation.operationId, query] as const] : []
    }),
  )
}

function objectOf(members: readonly (readonly [string, Schema])[]): Schema {
  return {
    type: 'object',
    required: members.map(([name]) => name),
    properties: Object.fromEntries(members),
    additionalProperties: false,
  }
}

/** A request with a value that does not exist is a mistake, which the compiler should find. */
function requestOnlySchemas(document: OpenApiDocument): Set<string> {
  const { schemas } = document.components
  const reached = (from: Schema): Set<string> => {
    const names = new Set<string>()
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [member, inner] of Object.entries(value)) {
        const name = member === '$ref' ? String(inner).split('/').at(-1) : undefined
        if (name !== undefined && !names.has(name)) {
          names.add(name)
          visit(schemas[name])
        } else visit(inner)
      }
    }
    visit(from)
    return names
  }
  const answered = reached(answersOf(document))
  return new Set([...reached(bodiesOf(document))].filter((name) => !answered.has(name)))
}
