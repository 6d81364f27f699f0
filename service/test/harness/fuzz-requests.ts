import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '../../src/platform/api/declare/operation.ts'
import { integratorPrefixes } from '../../src/platform/api/server/routes.ts'
import { type IdSource, legalValue, mutated, mutation } from './fuzz-values.ts'
import type { JsonSchema } from './json-schema.ts'
import { nastyTexts } from './nasty-text.ts'

/** A request as it is to be sent, but for the ids and the token, which only the run knows. */
export interface FuzzRequest {
  readonly operation: Operation
  readonly method: string
  readonly prefix: string
  /** Escaped text for each parameter of the path. `id:…` stands for an id that exists. */
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** The header itself, `valid` for that of the tenant's token, or `none`. */
  readonly authorization: string
  readonly body: string | Uint8Array | undefined
  /** Which of the tenants asks, and which of their ids it means. */
  readonly tenant: number
  readonly pick: number
}

/** Requests from wholly legal to wholly wrong, over the whole table. */
export function fuzzRequests(operations: readonly Operation[]): Arbitrary<FuzzRequest> {
  return fc.oneof(...operations.map(requestsOf))
}

/** Ids are names for the run to fill in, so that a seed means the same in every run. */
const ids: IdSource = (name) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(`id:${name}`) },
    { weight: 1, arbitrary: fc.constant(`foreign:${name}`) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.uuid().map((id) => id.toUpperCase()) },
  )

/** No HEAD that is too long to be read: it is refused before its method is known, and so with a body. */
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

/** The usual this many times for one time of the odd. */
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
  const legal = schema ? legalValue(schema, ids) : fc.constant({})
  const written = legal.map((query) => new URLSearchParams(texts(query)).toString())
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
    { weight: 20, arbitrary: schema ? written : fc.constant('') },
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

/** A few keys come again and again, so that replays and races are among the requests. */
function keys(mode: 'required' | 'optional' | 'none'): Arbitrary<Record<string, string>> {
  const fresh = fc.uuid()
  const again = fc.constantFrom('one', 'two', 'three')
  const odd = fc.oneof(
    fc.constantFrom('', ' ', '\t', 'k'.repeat(128), 'k'.repeat(129), 'é', 'ÿ'.repeat(128), ',', '"', '__proto__'),
    fc.string({ unit: 'grapheme-ascii', maxLength: 140 }),
  )
  const key = fc
    .oneof({ weight: 8, arbitrary: fresh }, { weight: 1, arbitrary: again }, { weight: 1, arbitrary: odd })
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
  const legal = legalValue(body as JsonSchema, ids).map((value) => settled(id, value))
  const changed = fc
    .tuple(legal, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => JSON.stringify(mutations.reduce(mutated, value)))
  const text = legal.map((value) => JSON.stringify(value))
  const spoilt = fc.tuple(text, fc.constantFrom(...spoilers)).map(([written, spoil]) => spoil(written))
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 5, arbitrary: changed },
    { weight: 1, arbitrary: spoilt },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  )
}

/** What the schema of an account says with `if` and `not`, which the generator does not read. */
function settled(id: string, value: unknown): unknown {
  const body = value as Record<string, unknown>
  if (id === 'createAccount') delete body[body['type'] === 'COMPANY' ? 'individual' : 'company']
  if (id === 'createAccount' && body['type'] === 'COMPANY' && !body['company']) body['type'] = 'INDIVIDUAL'
  if (body['kyc'] && body['kyb']) delete body['kyb']
  return body
}

const spoilers: ((text: string) => string | undefined)[] = [
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
