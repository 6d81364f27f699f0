import type { Operation } from '../declare/operation.ts'
import type { Json } from './openapi-schemas.ts'

/** Every response header that a client may want to read, except for the rate limit. */
const headerComponents: Json = {
  'X-Request-Id': header('Id of the request. Include it when you contact us.', {
    format: 'uuid',
    examples: ['8f7e28a7-3962-4ac9-a1f7-85504d86946a'],
  }),
  'ST-Api-Version': header('Version of the contract that served the request.', { examples: ['2026-07-02'] }),
  'ST-Api-Version-Beta': header('Present and true while that version is in beta.', { examples: ['true'] }),
  'Retry-After': header('Seconds to wait before a retry.', { pattern: '^[0-9]+$', examples: ['2'] }),
  'WWW-Authenticate': header('The authentication scheme.', { examples: ['Bearer'] }),
  Location: header('URL of the created resource.', { format: 'uri' }),
  'Content-Disposition': header('Name of the file.', { examples: ['attachment; filename="refunds.xml"'] }),
  'Idempotency-Replayed': header(
    'Present and true if this is the stored response of an earlier request with this key.',
    {
      enum: ['true'],
    },
  ),
  'Idempotency-Payload-Mismatch': header(
    'Present and true if that earlier request had a different body. The response is still that of the earlier request.',
    { enum: ['true'] },
  ),
}

/** Names the policy after the counted caller: an integrator's credential or an operator user's token. */
function rateLimitComponents(operations: readonly Operation[]): Json {
  const isOperatorApi = operations.some(({ kind }) => kind === 'operator')
  const [policy, limit] = isOperatorApi ? ['user', 600] : ['credential', 30]
  return {
    'RateLimit-Policy': header('The limit: q requests in w seconds.', { examples: [`"${policy}";q=${limit};w=60`] }),
    RateLimit: header('The remaining quota: r requests now, and one more in t seconds.', {
      examples: [`"${policy}";r=${limit - 2};t=60`],
    }),
  }
}

const always = ['X-Request-Id', 'ST-Api-Version', 'ST-Api-Version-Beta'] as const
const rateLimit = ['RateLimit-Policy', 'RateLimit'] as const

/** Returns the headers that these operations use. */
export function responseHeadersOf(operations: readonly Operation[]): Json {
  const { 'Content-Disposition': disposition, ...others } = headerComponents
  const hasFiles = operations.some(({ header: { success } }) => success.file)
  return {
    ...others,
    ...rateLimitComponents(operations),
    ...(hasFiles ? { 'Content-Disposition': disposition } : {}),
  }
}

export function successHeadersOf({ header: { success, idempotency } }: Operation): Json {
  return references([
    ...always,
    ...rateLimit,
    ...(success.location ? ['Location'] : []),
    ...(success.file ? ['Content-Disposition'] : []),
    ...(idempotency === 'none' ? [] : ['Idempotency-Replayed', 'Idempotency-Payload-Mismatch']),
  ])
}

export function proposalHeadersOf(operation: Operation): Json {
  const { Location: _location, 'Content-Disposition': _disposition, ...headers } = successHeadersOf(operation)
  return headers
}

/**
 * Omits the rate limit on 401, where no caller is identified, and on 5xx, which may come before the caller is counted.
 */
export function errorHeadersOf(status: number): Json {
  return references([
    ...always,
    ...(status === 401 || status >= 500 ? [] : rateLimit),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 409 || status === 429 || status === 503 ? ['Retry-After'] : []),
  ])
}

function references(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function header(description: string, schema: Json): Json {
  return { description, schema: { type: 'string', ...schema } }
}
