import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '../../../src/platform/api/declare/operation.ts'
import { type IdSource, mostly, mutated, mutation, validValue } from './fuzz-values.ts'
import type { JsonSchema } from './json-schema.ts'

/** Generates bodies of an operation, from valid to garbage. The example is one of the valid ones. */
export function bodiesOf(
  { id, body }: Operation['header'],
  ids: IdSource,
  example: unknown,
): Arbitrary<string | Uint8Array | undefined> {
  if (!body) return mostly(fc.constant(undefined), fc.constantFrom('', '{}', '{', 'null'), 10)
  const generated = validValue(body as JsonSchema, ids).map((value) => madeConsistent(id, value))
  const valid = example === undefined ? generated : fc.oneof(generated, fc.constant(example))
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

/** Generates small files: the example with parts changed, removed or repeated, and random bytes. */
export function uploadsOf(example: string): Arbitrary<string | Uint8Array | undefined> {
  const part = fc.record({ at: fc.nat(), length: fc.nat({ max: 60 }), text: fc.oneof(fc.string(), oddXml) })
  const edited = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) =>
    parts.reduce((text, { at, length, text: inserted }) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + inserted + text.slice(start + length)
    }, example),
  )
  const values = fc.tuple(fc.nat(), oddXml).map(([index, odd]) => withElement(example, index, odd))
  return fc.oneof(
    { weight: 2, arbitrary: fc.uuid().map((id) => example.replace(/(?<=<AcctSvcrRef>)[^<]*/, id)) },
    { weight: 4, arbitrary: values },
    { weight: 4, arbitrary: edited },
    { weight: 1, arbitrary: fc.nat().map((at) => example.slice(0, at % example.length)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', '<', '<a/>', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>') },
  )
}

/** Replaces the text of one element. */
function withElement(xml: string, index: number, text: string): string {
  const texts = [...xml.matchAll(/(?<=>)[^<>\n]+(?=<\/)/g)]
  const found = texts[index % texts.length]
  return found ? xml.slice(0, found.index) + text + xml.slice(found.index + found[0].length) : xml
}

const oddXml = fc.constantFrom(
  '', ' ', '0', '-1', '1.001', '99999999999999999999.99', '1e3', 'NaN', '0.00', 'x'.repeat(500), '\u0000', '\ufffe',
  '&#0;', '&lt;', '&unknown;', '<![CDATA[x]]>', '<a>', '</Stmt>', '<Stmt>', '<!--', '0000-00-00', '2026-02-30', 'DBIT',
  'CRDT', 'true', 'PDNG', 'JPY', 'XXX', 'DE02120300000000202051', '<Ntry>'.repeat(50), '😀', "'; drop table x; --",
) // biome-ignore format: a list reads better dense
