import { STATUS_CODES } from 'node:http'
import { Type } from 'typebox'
import { type ErrorCode, errorTable } from './error-table.ts'
import { errorHeadersOf } from './openapi-headers.ts'
import { type Components, type Json, publishSchema } from './openapi-schemas.ts'
import type { Operation } from './operation.ts'

const closed = { additionalProperties: false }
const Detail = Type.String({ description: 'What is wrong and what is expected.' })

const Failure = Type.Union(
  [
    Type.Object(
      { detail: Detail, pointer: Type.String({ description: 'Where in the body, as a JSON pointer.' }) },
      closed,
    ),
    Type.Object({ detail: Detail, parameter: Type.String({ description: 'Which path or query parameter.' }) }, closed),
    Type.Object({ detail: Detail, header: Type.String({ description: 'Which header.' }) }, closed),
  ],
  { title: 'Failure', description: 'One thing that is wrong with a request, and where.' },
)

/** The body of every refusal. The codes are not an enumeration: a client must live with one that is new. */
const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        type: Type.String({ description: 'The kind of error.' }),
        message: Type.String({ description: 'For people; its wording may change.' }),
        code: Type.String({ description: 'For programs; never changes its meaning.' }),
        errors: Type.Optional(Type.Array(Failure, { minItems: 1, description: 'All that is wrong with the request.' })),
      },
      closed,
    ),
  },
  { ...closed, title: 'Error' },
)

/** Every refusal of an operation, by status. Those that many operations share stand once, among the components. */
export function errorResponses(operation: Operation, components: Components): Json {
  const byStatus = Object.groupBy(errorCodesOf(operation), (code) => errorTable[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => {
      const response = errorResponse(Number(status), codes ?? [], components)
      const name = (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '')
      const known = components.responses[name] ?? response
      if (JSON.stringify(known) !== JSON.stringify(response)) return [status, response]
      components.responses[name] = response
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** The pipeline's own refusals first, in its order, then those that the operation declares. */
export function errorCodesOf({ kind, header }: Operation): ErrorCode[] {
  return [
    'validation_failed',
    ...(kind === 'tenant' || kind === 'operator' ? tokenErrors : []),
    ...(kind === 'signed' ? (['signature_invalid'] as const) : []),
    ...(kind === 'tenant' ? (['insufficient_scope'] as const) : []),
    ...(kind === 'operator' ? (['insufficient_role'] as const) : []),
    ...(header.body || header.upload ? bodyErrors : []),
    ...(header.idempotency === 'none' ? [] : keyErrors),
    ...header.errors,
    'rate_limited',
    'internal_error',
    'unavailable',
  ]
}

const tokenErrors = ['token_missing', 'token_invalid', 'token_expired', 'token_revoked'] as const
const bodyErrors = ['payload_too_large', 'unsupported_media_type'] as const
const keyErrors = ['idempotency_in_progress'] as const

function errorResponse(status: number, codes: readonly ErrorCode[], components: Components): Json {
  const lines = codes.map((code) => `- \`${code}\`: ${errorTable[code].cause} ${errorTable[code].remedy}`)
  const examples = codes.map((code) => [code, { summary: errorTable[code].cause, value: exampleBody(code) }])
  return {
    description: `${STATUS_CODES[status]}\n\n${lines.join('\n')}`,
    headers: errorHeadersOf(status),
    content: {
      'application/json': { schema: publishSchema(ErrorBody, components), examples: Object.fromEntries(examples) },
    },
  }
}

function exampleBody(code: ErrorCode): Json {
  const { type, cause } = errorTable[code]
  if (code !== 'validation_failed') return { error: { type, message: cause, code } }
  // True of every operation: none takes a parameter that it does not name.
  const detail = 'The query parameter colour does not exist; there are none.'
  return { error: { type, message: detail, code, errors: [{ detail, parameter: 'colour' }] } }
}

// Of requests that reach no operation.
const transportErrors: readonly ErrorCode[] = [
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
]

/** All codes that a caller of these operations can meet, as a list in Markdown. */
export function errorReference(operations: readonly Operation[]): string {
  const met = new Set<string>([...transportErrors, ...operations.flatMap(errorCodesOf)])
  return Object.entries(errorTable)
    .filter(([code]) => met.has(code))
    .map(([code, { status, cause, remedy }]) => `- **${status}** \`${code}\`: ${cause} ${remedy}`)
    .join('\n')
}
