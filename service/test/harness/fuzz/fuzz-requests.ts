import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '../../../src/platform/api/declare/operation.ts'
import { bodiesOf, uploadsOf } from './fuzz-bodies.ts'
import { type IdSource, mostly, validValue } from './fuzz-values.ts'
import type { JsonSchema } from './json-schema.ts'
import { nastyTexts } from './nasty-text.ts'

/**
 * A request with placeholders that the run replaces: `id:…` by an id or a secret of the calling tenant, `foreign:…` by
 * one of another tenant.
 */
export interface FuzzRequest {
  readonly operation: Operation
  readonly method: string
  readonly prefix: string
  /** URL-encoded text of each path parameter. */
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** The tenant and the caller that send the request, and the choice among ids for a placeholder. */
  readonly tenant: number
  readonly caller: number
  readonly pick: number
  /** True if the run first creates resources for which the operation can succeed. */
  readonly isPrepared: boolean
}

/** Differences between the APIs. */
export interface FuzzedApi {
  readonly operations: readonly Operation[]
  readonly prefixes: readonly string[]
  /** Headers that prove who the caller is, as placeholders. */
  readonly proofsOf: (operation: Operation) => Arbitrary<Record<string, string>>
  /** A valid body, if one is known. Its ids are placeholders. */
  readonly exampleOf: (operation: Operation) => unknown
}

/** Generates requests to all operations, from completely valid to completely invalid. */
export function fuzzRequests(api: FuzzedApi): Arbitrary<FuzzRequest> {
  return fc.oneof(...api.operations.map((operation) => requestsOf(api, operation)))
}

/** Ids are placeholders that the run fills in, so that a seed gives the same requests in every run. */
const ids: IdSource = (name) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(`id:${name}`) },
    { weight: 1, arbitrary: fc.constant(`foreign:${name}`) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.uuid().map((id) => id.toUpperCase()) },
  )

/** Omits HEAD requests above the header limit: the server rejects them, with a body, before it knows the method. */
function requestsOf({ prefixes, proofsOf, exampleOf }: FuzzedApi, operation: Operation): Arbitrary<FuzzRequest> {
  const { header } = operation
  const example = exampleOf(operation)
  const body = header.upload ? uploadsOf(String(example)) : bodiesOf(header, ids, example)
  const types = mostly(header.upload ? fc.constantFrom(...header.upload.mediaTypes) : jsonTypes, oddTypes, 15)
  const contentType = types.map((type) => ({ 'content-type': type }))
  const parameters = Object.keys(header.params?.properties ?? {})
  return fc
    .record({
      operation: fc.constant(operation),
      method: mostly(fc.constant<string>(header.method), fc.constantFrom(...oddMethods), 12),
      prefix: fc.constantFrom<string>(...prefixes),
      params: fc.record(Object.fromEntries(parameters.map((name) => [name, mostly(ids(name), oddSegment, 12)]))),
      query: queriesOf(header.query as JsonSchema | undefined),
      headers: fc
        .tuple(
          proofsOf(operation),
          keys(header.idempotency),
          contentType,
          mostly(fc.constant<Record<string, string>>({}), oddHeaders, 5),
        )
        .map(merged),
      body,
      tenant: fc.nat({ max: 2 }),
      caller: fc.nat(),
      pick: fc.nat(),
      isPrepared: mostly(fc.constant(false), fc.constant(true), 25),
    })
    .filter(({ method, params, headers }) => method !== 'HEAD' || JSON.stringify([params, headers]).length < 10_000)
}

const merged = (parts: readonly object[]): Record<string, string> => Object.assign({}, ...parts)

const oddMethods = 'GET POST PUT PATCH DELETE OPTIONS HEAD TRACE PROPFIND QUERY NONSENSE'.split(' ')

const oddSegment = fc.oneof(
  fc.constantFrom(
    '',
    '%zz',
    '%00',
    '%',
    '..',
    '%2e%2e',
    'a%2Fb',
    'a/b',
    'null',
    '0',
    '%ff',
    '%ed%a0%80',
    '%E2%80%AE',
    ';a',
    '{}',
  ),
  fc.constantFrom('x'.repeat(3_000), '%41'.repeat(2_000), 'x'.repeat(17_000)),
  fc.string({ unit: 'binary' }).map(encodeURIComponent),
)

function queriesOf(schema: JsonSchema | undefined): Arbitrary<string> {
  const valid = schema ? validValue(schema, ids) : fc.constant({})
  const encoded = valid.map((query) => new URLSearchParams(texts(query)).toString())
  const names = [...Object.keys(schema?.properties ?? {}), '__proto__', 'constructor', 'limit[]', 'a', '']
  const odd = fc
    .array(
      fc.tuple(
        fc.constantFrom(...names),
        fc.oneof(fc.constantFrom(...oddNumbers), fc.constantFrom(...nastyTexts.slice(0, -3)), fc.string()),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])).toString())
  return fc.oneof(
    { weight: 20, arbitrary: schema ? encoded : fc.constant('') },
    { weight: 1, arbitrary: odd },
    {
      weight: 1,
      arbitrary: fc.constantFrom('?', '&&', '=', 'a', '%zz=%zz', 'limit=10&limit=20', 'a[b][c]=1', 'offset=%00'),
    },
  )
}

const oddNumbers = [
  '-1',
  '1e1',
  '0x10',
  '+10',
  ' 10',
  '10.5',
  '9007199254740991',
  '9007199254740992',
  '1'.repeat(400),
  'NaN',
]

function texts(query: unknown): [string, string][] {
  return Object.entries(query as object).map(([name, value]) => [name, String(value)])
}

/** Generates idempotency keys. A few repeat, so that the requests include replays and races. */
function keys(mode: 'required' | 'optional' | 'none'): Arbitrary<Record<string, string>> {
  const fresh = fc.uuid()
  const repeated = fc.constantFrom('one', 'two', 'three')
  const odd = fc.oneof(
    fc.constantFrom('', ' ', '\t', 'k'.repeat(128), 'k'.repeat(129), 'é', 'ÿ'.repeat(128), ',', '"', '__proto__'),
    fc.string({ unit: 'grapheme-ascii', maxLength: 140 }),
  )
  const key = fc
    .oneof({ weight: 8, arbitrary: fresh }, { weight: 1, arbitrary: repeated }, { weight: 1, arbitrary: odd })
    .map((value): Record<string, string> => ({ 'x-idempotency-key': value }))
  const none = fc.constant<Record<string, string>>({})
  return mode === 'required' ? mostly(key, none, 15) : fc.oneof(key, none)
}

const jsonTypes = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
)
const oddTypes = fc.constantFrom(
  '',
  'text/plain',
  'application/xml',
  'application/json; charset=latin1',
  'multipart/form-data',
  ';',
  'a',
  '*/*',
)

const oddHeaders: Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { 'content-encoding': 'gzip' }, { 'content-encoding': 'identity' }, { 'x-http-method-override': 'DELETE' },
  { accept: 'text/html' }, { 'accept-encoding': 'br' }, { expect: 'nonsense' }, { origin: 'null' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' }, { connection: 'close' }, { connection: 'upgrade', upgrade: 'websocket' }, { host: '' },
  { host: 'a b' }, { host: 'ÿ' }, { host: '"><script>' }, { host: '[::1' }, { host: 'example.com:99999' },
  { 'x-forwarded-for': "' or 1=1" }, { 'x-forwarded-host': '\u00ff' }, { cookie: 'a'.repeat(4_000) },
  { 'x-large': 'a'.repeat(17_000) }, { 'st-api-version': '1' }, { __proto__x: 'y' }, { 'x-request-id': 'mine' },
) // biome-ignore format: a list reads better dense

/** Values of the Authorization header that prove nothing. */
export const oddAuthorizations = [
  '',
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Bearer a.b.c',
  'bearer x',
  `Bearer ${'x'.repeat(3_000)}`,
  'ÿ',
]

/** Returns the name of a path parameter for a member of a body or query, such as orderId for order_id. */
export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
