import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DistributedAmount, entitlementOf, totalOf } from './entitlement-of.ts'
import { multiply, parseRational, rational, textOf } from './rational.ts'

const nothing = rational(0n)

describe('an entitlement', () => {
  test('is exact and rounded down: three equal holders of 100.00 get 33.33, and 0.01 remains', () => {
    const amount: DistributedAmount = { kind: 'in all', totalMinor: 10_000n, supply: 3n }
    const gross = [1n, 1n, 1n].map((units) => entitlementOf(units, amount, nothing).grossMinor)
    assert.deepEqual(gross, [3_333n, 3_333n, 3_333n])
    assert.equal(totalOf(3n, amount), 10_000n)
  })

  test('of a coupon of 5 percent on 1,000 for 91 of 365 days is 12.46 for a token, of 12.4657…', () => {
    const rate = multiply(parseRational('50'), rational(91n, 365n))
    const amount: DistributedAmount = { kind: 'per token', rate, decimals: 6, currency: 'EUR' }
    assert.equal(entitlementOf(1_000_000n, amount, nothing).grossMinor, 1_246n)
    assert.equal(entitlementOf(999_999n, amount, nothing).grossMinor, 1_246n)
    assert.equal(totalOf(100_000_000n, amount), 124_657n)
  })

  test('has the minor unit of its currency: none for JPY, three digits for TND', () => {
    const of = (currency: string) =>
      entitlementOf(1n, { kind: 'per token', rate: parseRational('1.2345'), decimals: 0, currency }, nothing).grossMinor
    assert.deepEqual([of('JPY'), of('EUR'), of('TND')], [1n, 123n, 1_234n])
  })

  test('is net of a tax that is rounded down: 26.375 percent of 12.46 is 3.28', () => {
    const amount: DistributedAmount = { kind: 'in all', totalMinor: 1_246n, supply: 1n }
    const withholding = multiply(parseRational('26.375'), rational(1n, 100n))
    const entitlement = entitlementOf(1n, amount, withholding)
    assert.deepEqual(entitlement, { grossMinor: 1_246n, withheldMinor: 328n, netMinor: 918n })
  })

  test('a rate is stored as text without loss', () => {
    for (const text of ['910/73', '5', '0']) assert.equal(textOf(parseRational(text)), text)
    assert.equal(textOf(parseRational('12.50')), '25/2')
    assert.throws(() => parseRational('1/0'))
    assert.throws(() => parseRational('-1'))
  })
})

const register = fc.array(fc.bigInt({ min: 1n, max: 10n ** 24n }), { minLength: 1, maxLength: 60 })
const currency = fc.constantFrom('JPY', 'EUR', 'TND')
const percent = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => rational(BigInt(thousandths), 100_000n))
const rate = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 6n }))
  .map(([numerator, denominator]) => rational(numerator, denominator))

test('over random registers, rates and currencies: total = net + withheld + a small remainder', () => {
  fc.assert(
    fc.property(
      register,
      currency,
      fc.array(percent, { minLength: 1, maxLength: 4 }),
      fc.oneof(
        fc.record({ rate, decimals: fc.integer({ min: 0, max: 18 }) }),
        fc.record({ totalMinor: fc.bigInt({ min: 0n, max: 10n ** 15n }) }),
      ),
      (units, ofCurrency, rates, given) => {
        const supply = units.reduce((sum, one) => sum + one, 0n)
        const amount: DistributedAmount =
          'rate' in given ? { kind: 'per token', ...given, currency: ofCurrency } : { kind: 'in all', ...given, supply }
        const all = units.map((one, index) => entitlementOf(one, amount, rates[index % rates.length] ?? nothing))
        const sum = (member: 'grossMinor' | 'netMinor' | 'withheldMinor') =>
          all.reduce((total, one) => total + one[member], 0n)
        const remainder = totalOf(supply, amount) - sum('grossMinor')
        assert.equal(totalOf(supply, amount), sum('netMinor') + sum('withheldMinor') + remainder)
        // Each holder loses less than one minor unit.
        assert.ok(remainder >= 0n && remainder < BigInt(units.length))
        assert.ok(all.every(({ netMinor, withheldMinor }) => netMinor >= 0n && withheldMinor >= 0n))
      },
    ),
    { numRuns: 2_000 },
  )
})
