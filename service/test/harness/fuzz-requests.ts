import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '../../src/platform/api/declare/operation.ts'
import { integratorPrefixes } from '../../src/platform/api/server/routes.ts'
import { type IdSource, mutated, mutation, validValue } from './fuzz-values.ts'
import type { JsonSchema } from './json-schema.ts'
import { nastyTexts } from './nasty-text.ts'

/** A request without its real ids and token, which the run fills in. */
export interface FuzzRequest {
  readonly operation: Operation
  readonly method: string
  readonly prefix: string
  /** URL-encoded text of each path parameter. `id:…` is a placeholder for an existing id. */
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** The header value, `valid` for the tenant's token, or `none`. */
  readonly authorization: string
  readonly body: string | Uint8Array | undefined
  /** Which tenant sends the request, and which of its ids replaces a placeholder. */
  readonly tenant: number
  readonly pick: number
}

/** Requests to all operations, from completely valid to completely invalid. */
export function fuzzRequests(operations: readonly Operation[]): Arbitrary<FuzzRequest> {
  return fc.oneof(...operations.map(requestsOf))
}

/** Ids are placeholders that the run fills in, so that a seed gives the same requests in every run. */
const ids: IdSource = (name) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(`id:${name}`) },
    { weight: 1, arbitrary: fc.constant(`foreign:${name}`) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.uuid().map((id) => id.toUpperCase()) },
  )

/** Omits HEAD requests above the header limit: the server rejects them before it knows the method, so with a body. */
function requestsOf(operation: Operation): Arbitrary<FuzzRequest> {
  const { header } = operation
  const parameters = Object.keys(header.params?.properties ?? {})
  return fc
    .record({
      operation: fc.constant(operation),
      method: mostly(fc.constant<string>(header.method), fc.constantFrom(...oddMethods), 12),
      prefix: fc.constantFrom<string>(...integratorPrefixes),
      params: fc.record(Object.fromEntries(parameters.map((name) => [name, mostly(ids(name), oddSegment, 12)]))),
      query: queriesOf(header.query as JsonSchema | undefined),
      headers: fc.tuple(keys(header.idempotency), contentTypes, mostly(fc.constant({}), oddHeaders, 5)).map(merged),
      authorization: mostly(fc.constant('valid'), fc.constantFrom(...oddAuthorizations), 20),
      body: bodiesOf(header),
      tenant: fc.nat({ max: 2 }),
      pick: fc.nat(),
    })
    .filter(({ method, params, headers }) => method !== 'HEAD' || JSON.stringify([params, headers]).length < 10_000)
}

/** Mixes the usual with the odd in the ratio of `times` to one. */
function mostly<Value>(usual: Arbitrary<Value>, odd: Arbitrary<Value>, times: number): Arbitrary<Value> {
  return fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

const merged = (parts: readonly object[]): Record<string, string> => Object.assign({}, ...parts)

const oddMethods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'NONSENSE',
]

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

/** A few keys repeat, so that the requests include replays and races. */
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

const contentTypes: Arbitrary<Record<string, string>> = mostly(
  fc.constantFrom('application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'),
  fc.constantFrom(
    '',
    'text/plain',
    'application/xml',
    'application/json; charset=latin1',
    'multipart/form-data',
    ';',
    'a',
    '*/*',
  ),
  15,
).map((type) => ({ 'content-type': type }))

const oddHeaders: Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { 'content-encoding': 'gzip' }, { 'content-encoding': 'identity' }, { 'x-http-method-override': 'DELETE' },
  { accept: 'text/html' }, { 'accept-encoding': 'br' }, { expect: 'nonsense' }, { origin: 'null' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' }, { connection: 'close' }, { connection: 'upgrade', upgrade: 'websocket' }, { host: '' },
  { host: 'a b' }, { host: 'ÿ' }, { host: '"><script>' }, { host: '[::1' }, { host: 'example.com:99999' },
  { 'x-forwarded-for': "' or 1=1" }, { 'x-forwarded-host': '\u00ff' }, { cookie: 'a'.repeat(4_000) },
  { 'x-large': 'a'.repeat(17_000) }, { 'st-api-version': '1' }, { __proto__x: 'y' }, { 'x-request-id': 'mine' },
) // biome-ignore format: a list reads better dense

const oddAuthorizations = [
  'none',
  '',
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Bearer a.b.c',
  'bearer x',
  `Bearer ${'x'.repeat(3_000)}`,
  'ÿ',
]

function bodiesOf({ id, body }: Operation['header']): Arbitrary<string | Uint8Array | undefined> {
  if (!body) return mostly(fc.constant(undefined), fc.constantFrom('', '{}', '{', 'null'), 10)
  const valid = validValue(body as JsonSchema, ids).map((value) => madeConsistent(id, value))
  const changed = fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => JSON.stringify(mutations.reduce(mutated, value)))
  const text = valid.map((value) => JSON.stringify(value))
  const corrupted = fc.tuple(text, fc.constantFrom(...corruptions)).map(([json, corrupt]) => corrupt(json))
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 5, arbitrary: changed },
    { weight: 1, arbitrary: corrupted },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  )
}

/** Applies the `if` and `not` rules of the account schema, which the generator does not support. */
function madeConsistent(id: string, value: unknown): unknown {
  const body = value as Record<string, unknown>
  if (id === 'createAccount') delete body[body['type'] === 'COMPANY' ? 'individual' : 'company']
  if (id === 'createAccount' && body['type'] === 'COMPANY' && !body['company']) body['type'] = 'INDIVIDUAL'
  if (body['kyc'] && body['kyb']) delete body['kyb']
  return body
}

const corruptions: ((text: string) => string | undefined)[] = [
  () => undefined,
  () => '',
  () => 'null',
  () => '[]',
  () => '"a"',
  () => '['.repeat(30_000),
  () => `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  () => `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
  () => `{"a":${'9'.repeat(60_000)}}`,
  () => `[${'1,'.repeat(30_000)}1]`,
  (text) => text.slice(0, -1),
  (text) => `${text}x`,
  (text) => `\ufeff${text}`,
  (text) => text.replace('{', '{"__proto__":{"a":1},'),
  (text) => text.replace('{', `{${Array.from({ length: 5_000 }, (_, index) => `"m${index}":1,`).join('')}`),
  (text) => text.replace(/}$/, `,"scopes":[${'1,'.repeat(20_000)}1]}`),
  (text) => text.replace('{', `{"a":${'['.repeat(20_000)}${'"\\u0000",'.repeat(100)}1${']'.repeat(20_000)},`),
  (text) => text.replaceAll(':', ':\n\t '),
  (text) => text.padEnd(70_000),
]
