import { STATUS_CODES } from 'node:http'
import { Type } from 'typebox'
import { Closed, Named } from '../declare/fields.ts'
import type { Operation, OperatorOperation, OperatorStream } from '../declare/operation.ts'
import type { DeclaredError } from '../errors/declare-errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { errorHeadersOf } from './openapi-headers.ts'
import { type Components, type Json, publishSchema } from './openapi-schemas.ts'

const Detail = Type.String({ description: 'What is wrong and the expected value.' })

const Failure = Type.Union(
  [
    Closed({ detail: Detail, pointer: Type.String({ description: 'Location in the body, as a JSON pointer.' }) }),
    Closed({ detail: Detail, parameter: Type.String({ description: 'Name of the path or query parameter.' }) }),
    Closed({ detail: Detail, header: Type.String({ description: 'Name of the header.' }) }),
  ],
  { title: 'Failure', description: 'One validation failure and its location.' },
)

/** The body of every error. Codes are not an enumeration: a client must handle codes that it does not know. */
const ErrorBody = Named('Error', {
  error: Closed({
    type: Type.String({ description: 'The kind of error.' }),
    message: Type.String({ description: 'For people; the wording may change.' }),
    code: Type.String({ description: 'For programs; never changes its meaning.' }),
    errors: Type.Optional(Type.Array(Failure, { minItems: 1, description: 'All validation failures of the request.' })),
  }),
})

/** Returns the error responses of an operation, by status. Responses that many operations share are components. */
export function errorResponses(operation: Operation, operations: readonly Operation[], components: Components): Json {
  const byStatus = Object.groupBy(errorsOf(operation, operations), ({ status }) => status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, errors]) => {
      const response = errorResponse(Number(status), errors ?? [], components)
      const name = (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '')
      const known = components.responses[name] ?? response
      if (JSON.stringify(known) !== JSON.stringify(response)) return [status, response]
      components.responses[name] = response
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/**
 * Returns the errors of the pipeline, in the order of its checks, then those that the operation declares. `operations`
 * are all of the same API.
 */
export function errorsOf(operation: Operation, operations: readonly Operation[]): DeclaredError[] {
  const { kind, header } = operation
  const errors = [
    requestErrors.validation_failed,
    ...(kind === 'tenant' || kind === 'operator' || kind === 'stream' ? tokenErrors : []),
    ...(kind === 'signed' ? [requestErrors.signature_invalid] : []),
    ...(kind === 'tenant' ? [requestErrors.insufficient_scope] : []),
    ...(operation.kind === 'operator' || operation.kind === 'stream' ? operatorErrorsOf(operation) : []),
    ...(kind === 'stream' ? [requestErrors.too_many_streams] : []),
    ...(header.upload ? [requestErrors.too_many_uploads] : []),
    ...(header.cost ? [requestErrors.heavy_request_running] : []),
    ...(header.body || header.upload ? bodyErrors : []),
    ...(header.idempotency === 'none' ? [] : [requestErrors.idempotency_in_progress]),
    ...header.errors,
    ...errorsOfProposed(operation, operations),
    requestErrors.rate_limited,
    requestErrors.internal_error,
    requestErrors.unavailable,
  ]
  return [...new Set(errors)]
}

/** A confirmation runs the proposed operation and fails with its errors. */
function errorsOfProposed(operation: Operation, operations: readonly Operation[]): DeclaredError[] {
  if (operation.kind !== 'operator' || !operation.header.runsProposed) return []
  return operations.flatMap((other) => {
    const canBeProposed = other.kind === 'operator' && other.database === operation.database && other.rule !== undefined
    return canBeProposed ? other.header.errors : []
  })
}

function operatorErrorsOf({ header: { session }, ...operation }: OperatorOperation | OperatorStream): DeclaredError[] {
  const canBeProposed = 'rule' in operation && operation.rule !== undefined
  return [
    requestErrors.session_expired,
    requestErrors.cross_site_request,
    requestErrors.insufficient_duty,
    ...(session ? [requestErrors.session_required] : []),
    ...(session === 'passkey' ? [requestErrors.step_up_needed] : []),
    ...(canBeProposed ? [requestErrors.too_many_proposals] : []),
  ]
}

const tokenErrors = [
  requestErrors.token_missing,
  requestErrors.token_invalid,
  requestErrors.token_expired,
  requestErrors.token_revoked,
]
const bodyErrors = [requestErrors.payload_too_large, requestErrors.unsupported_media_type]

function errorResponse(status: number, errors: readonly DeclaredError[], components: Components): Json {
  const lines = errors.map(({ code, cause, remedy }) => `- \`${code}\`: ${cause} ${remedy}`)
  const examples = errors.map((error) => [error.code, { summary: error.cause, value: exampleBody(error) }])
  return {
    description: `${STATUS_CODES[status]}\n\n${lines.join('\n')}`,
    headers: errorHeadersOf(status),
    content: {
      'application/json': { schema: publishSchema(ErrorBody, components), examples: Object.fromEntries(examples) },
    },
  }
}

function exampleBody({ code, type, cause }: DeclaredError): Json {
  if (code !== requestErrors.validation_failed.code) return { error: { type, message: cause, code } }
  // Valid for every operation: each rejects a request that is not HTTP/1.1.
  const detail = 'The request has no Host header.'
  return { error: { type, message: detail, code, errors: [{ detail, header: 'Host' }] } }
}

/** Errors of requests that reach no operation. */
const transportErrors = [
  requestErrors.route_not_found,
  requestErrors.method_not_allowed,
  requestErrors.request_timeout,
  requestErrors.headers_too_large,
]

/** Lists all errors that these operations can return, in Markdown. */
export function errorReference(operations: readonly Operation[]): string {
  const possible = new Set([...transportErrors, ...operations.flatMap((operation) => errorsOf(operation, operations))])
  const requestFirst = new Set([...Object.values(requestErrors), ...possible])
  return [...requestFirst]
    .filter((error) => possible.has(error))
    .map(({ code, status, cause, remedy }) => `- **${status}** \`${code}\`: ${cause} ${remedy}`)
    .join('\n')
}
