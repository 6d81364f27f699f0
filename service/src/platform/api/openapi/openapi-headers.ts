import type { Operation } from '../declare/operation.ts'
import type { Json } from './openapi-schemas.ts'

/** Every header that an answer of the API can carry and a client may want to read. */
const headerComponents: Json = {
  'X-Request-Id': header('The id of the request. Tell it to us when something is wrong.', {
    format: 'uuid',
    examples: ['8f7e28a7-3962-4ac9-a1f7-85504d86946a'],
  }),
  'ST-Api-Version': header('The version of the contract that answered.', { examples: ['2026-07-02'] }),
  'ST-Api-Version-Beta': header('There and true while that version is in beta.', { examples: ['true'] }),
  'RateLimit-Policy': header('Your limit: q requests in w seconds.', { examples: ['"credential";q=30;w=60'] }),
  RateLimit: header('What is left of it: r requests now, and another one in t seconds.', {
    examples: ['"credential";r=28;t=60'],
  }),
  'Retry-After': header('Wait this many seconds.', { pattern: '^[0-9]+$', examples: ['2'] }),
  'WWW-Authenticate': header('The scheme to authenticate with.', { examples: ['Bearer'] }),
  Location: header('Where to read what was created.', { format: 'uri' }),
  'Content-Disposition': header('What the file is called.', { examples: ['attachment; filename="refunds.xml"'] }),
  'Idempotency-Replayed': header('There and true when this is the answer of an earlier request with the same key.', {
    enum: ['true'],
  }),
  'Idempotency-Payload-Mismatch': header(
    'There and true when that earlier request had another body. The answer is still that of the earlier one.',
    { enum: ['true'] },
  ),
}

const always = ['X-Request-Id', 'ST-Api-Version', 'ST-Api-Version-Beta'] as const
const counted = ['RateLimit-Policy', 'RateLimit'] as const

/** Those that these operations use. */
export function responseHeadersOf(operations: readonly Operation[]): Json {
  const { 'Content-Disposition': ofFiles, ...ofAll } = headerComponents
  return operations.some(({ header: { success } }) => success.file)
    ? { ...ofAll, 'Content-Disposition': ofFiles }
    : ofAll
}

export function successHeadersOf({ header: { success, idempotency } }: Operation): Json {
  return references([
    ...always,
    ...counted,
    ...(success.location ? ['Location'] : []),
    ...(success.file ? ['Content-Disposition'] : []),
    ...(idempotency === 'none' ? [] : ['Idempotency-Replayed', 'Idempotency-Payload-Mismatch']),
  ])
}

/** A request without a valid identity is not counted, and one that fails on our side need not have got so far. */
export function errorHeadersOf(status: number): Json {
  return references([
    ...always,
    ...(status === 401 || status >= 500 ? [] : counted),
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
