import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from './json-schema.ts'
import { nastyTexts } from './nasty-text.ts'

/** Generates ids for a field by its name: some exist, most do not. */
export type IdSource = (name: string) => Arbitrary<string>

/** Mixes the usual with the odd in the ratio of `times` to one. */
export function mostly<Value>(usual: Arbitrary<Value>, odd: Arbitrary<Value>, times: number): Arbitrary<Value> {
  return fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

/** Generates valid values of a schema, with or without optional members. */
export function validValue(schema: JsonSchema, ids: IdSource, name = ''): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((choice) => validValue(choice, ids, name)))
  switch (schema.type ?? 'string') {
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(([member, nested]) => [
        member,
        validValue(nested, ids, member),
      ])
      return fc.record(Object.fromEntries(members), {
        requiredKeys: [...(schema.required ?? [])] as never[],
        noNullPrototype: true,
      })
    }
    case 'array':
      return fc.array(validValue(schema.items ?? {}, ids, name), { minLength: 1, maxLength: 4 })
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER })
    default:
      return validText(schema, ids, name)
  }
}

function validText(schema: JsonSchema, ids: IdSource, name: string): Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength } = schema
  if (format === 'email') return fc.emailAddress()
  if (format === 'currency') return fc.constantFrom('EUR', 'EUR', 'USD', 'JPY', 'KWD', 'CLF')
  if (pattern === '^[A-Z]{2}$') return fc.constantFrom('DE', 'FR', 'XK', 'ZZ')
  if (format === 'date') return moment.map((at) => at.toISOString().slice(0, 10))
  if (format === 'date-time') return moment.map((at) => at.toISOString())
  if (pattern) return matching(pattern, schema)
  if (format === 'uuid' || name === 'client_id' || name === 'client_secret') return ids(name)
  // Longer texts find no more bugs, but the limit itself does: one of the choices reaches it.
  const longest = Math.min(maxLength ?? 300, 300)
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength: longest }),
    fc.string({ unit: 'binary', minLength, maxLength: longest }),
    fc.constantFrom('x', '😀', 'e\u0301').map((unit) => [...unit.repeat(longest)].slice(0, longest).join('')),
  )
}

const moment = fc.oneof(
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
)

/** Generates texts that match a pattern. Amounts of units are mostly of a realistic size. */
function matching(pattern: string, { examples = [] }: JsonSchema): Arbitrary<unknown> {
  const amounts = fc.bigInt(1n, 10n ** 12n).map(String)
  // The generator does not support assertions such as (?!…).
  const generated = fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?[!=][^)]*\)/g, '')))
  const all = [generated, ...(examples.length > 0 ? [fc.constantFrom(...examples)] : [])]
  return new RegExp(pattern).test('12') ? fc.oneof(amounts, ...all) : fc.oneof(...all)
}

/** Change of a valid value that mostly makes it invalid. */
interface Mutation {
  readonly where: number
  readonly what: 'replace' | 'remove' | 'add' | 'stretch'
  readonly name: string
  readonly value: unknown
}

const strangeNames = ['__proto__', 'constructor', 'toString', '', 'id', 'tenant_id', 'a/b~c', '\ufeff', 'x'.repeat(300)]

const strangeValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, -0, '', [], {}, [[]], [null], { a: {} }),
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: 'binary' }),
  fc.jsonValue({ maxDepth: 3 }),
)

export const mutation: Arbitrary<Mutation> = fc.record({
  where: fc.nat(),
  what: fc.constantFrom('replace', 'replace', 'remove', 'add', 'stretch'),
  name: fc.oneof(fc.constantFrom(...strangeNames), fc.string()),
  value: strangeValue,
})

/** Returns a copy with one member changed. */
export function mutated(body: unknown, { where, what, name, value }: Mutation): unknown {
  const copy = structuredClone(body)
  const members = membersOf(copy)
  const member = members[where % members.length]
  if (!member) return what === 'remove' ? undefined : value
  const { parent, key } = member
  const old = parent[key]
  if (what === 'remove') delete parent[key]
  else if (what === 'stretch') parent[key] = typeof old === 'string' ? old + old + old : [old, old]
  else if (what === 'add' && typeof old === 'object' && old !== null) define(old, name, value)
  else if (what === 'add') define(parent, name, value)
  else parent[key] = value
  return copy
}

/** Defines a member. As in JSON.parse, one named __proto__ is an ordinary member. */
function define(parent: object, name: string, value: unknown): void {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true })
}

function membersOf(value: unknown): { parent: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...membersOf(parent[key])])
}
