import { isUnits, type OpenApiDocument, operationsOf, type Schema } from './openapi-document.ts'

/** What the client has to know of each operation while it runs. */
export function generateOperations(document: OpenApiDocument): string {
  const rows = operationsOf(document).map(({ path, method, operation }) => {
    const takesKey = (operation.parameters ?? []).some(({ name }) => name === keyHeader)
    return `  ${operation.operationId}: { method: '${method}', path: '${path}', takesKey: ${takesKey} },`
  })
  const codes = errorCodesOf(document).map((code) => `  | '${code}'`)
  const members = unitMembersOf(document).map((member) => `  '${member}',`)
  return `// Made by \`npm run sdk:generate\` from service/openapi.json. Do not edit.

export const apiVersion = '${document.info.version}'

export const allScopes = [
${scopesOf(document)
  .map((scope) => `  '${scope}',`)
  .join('\n')}
] as const

export const keyHeader = '${keyHeader}'

export interface Operation {
  readonly method: string
  readonly path: string
  /** Whether it takes an idempotency key. */
  readonly takesKey: boolean
}

export const operations = {
${rows.join('\n')}
} as const satisfies Record<string, Operation>

/** The members that hold units of a token: text on the wire, bigint here. */
export const unitMembers: ReadonlySet<string> = new Set([
${members.join('\n')}
])

/** The codes that the document names; see \`ErrorCode\`. */
export type KnownErrorCode =
${codes.join('\n')}
`
}

const keyHeader = 'X-Idempotency-Key'

function scopesOf({ components }: OpenApiDocument): string[] {
  const values = components.schemas['AuthRequest']?.properties?.['scopes']?.items?.enum ?? []
  if (values.length === 0) throw new Error('AuthRequest has no enum of scopes any more')
  return values.map(String)
}

function errorCodesOf({ paths, components }: OpenApiDocument): string[] {
  const answers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses).filter(([status]) => Number(status) >= 400))
    .map(([, response]) => response)
  const codes = [...answers, ...Object.values(components.responses)].flatMap(({ content }) =>
    Object.keys(content?.['application/json']?.examples ?? {}),
  )
  return [...new Set(codes)].toSorted()
}

/**
 * Answers are converted by the name of a member, so a name must mean units everywhere or nowhere: whoever adds
 * another meaning finds out here.
 */
function unitMembersOf({ components }: OpenApiDocument): string[] {
  const uses = Object.values(components.schemas).flatMap((schema) => Object.entries(schema.properties ?? {}))
  const holdsUnits = (schema: Schema) => isUnits(schema) || (schema.anyOf ?? []).some(isUnits)
  const members = [...new Set(uses.filter(([, schema]) => holdsUnits(schema)).map(([name]) => name))].toSorted()
  for (const [name, schema] of uses)
    if (members.includes(name) && !holdsUnits(schema)) throw new Error(`${name} holds units in one schema only`)
  return members
}
