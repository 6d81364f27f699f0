import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { minorUnitDigits } from './money.ts'
import { TokenUnits } from './token-units.ts'

const seed = Number(process.env['SEED'] ?? Math.trunc(Math.random() * 2 ** 31))

/** Converts a decimal to a fraction. */
function fractionOf(decimal: string): { numerator: bigint; denominator: bigint } {
  const digits = decimal.split('.')[1]?.length ?? 0
  return { numerator: BigInt(decimal.replace('.', '')), denominator: 10n ** BigInt(digits) }
}

const price = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.nat({ max: 18 })).map(([digits, fractionDigits]) =>
  fractionDigits === 0
    ? String(digits)
    : String(digits)
        .padStart(fractionDigits + 1, '0')
        .replace(new RegExp(`(.{${fractionDigits}})$`), '.$1'),
)
// Half of them small, so that many totals are less than one minor unit.
const someUnits = fc.oneof(fc.bigInt({ min: 1n, max: 100_000n }), fc.bigInt({ min: 1n, max: 10n ** 30n }))

describe('the price of units', () => {
  test(`Q054: is exact, rounded half up, and never 0 unless the price is 0, seed ${seed}`, () => {
    let minimumCount = 0
    fc.assert(
      fc.property(
        price,
        fc.nat({ max: 18 }),
        someUnits,
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (pricePerToken, decimals, units, currency) => {
          const total = TokenUnits.of(units, decimals).priceAt(pricePerToken, currency)
          const { numerator, denominator } = fractionOf(pricePerToken)
          // The exact price in minor units is dividend / divisor.
          const dividend = units * numerator * 10n ** BigInt(minorUnitDigits(currency) ?? 0)
          const divisor = denominator * 10n ** BigInt(decimals)
          const floor = dividend / divisor
          const half = 2n * (dividend % divisor) >= divisor ? 1n : 0n
          const expected = dividend > 0n && floor + half === 0n ? 1n : floor + half
          if (dividend > 0n && floor + half === 0n) minimumCount += 1
          if (total === undefined) assert.ok(String(expected).length > 15)
          else assert.equal(total.minor, expected)
        },
      ),
      { seed, numRuns: 5_000 },
    )
    assert.ok(minimumCount > 100, `${minimumCount} prices were less than half a minor unit`)
  })

  test('39,999 units at 12.5 EUR and 8 decimals cost one cent, a price of 0 costs nothing', () => {
    const inEuros = (units: bigint, pricePerToken: string) =>
      TokenUnits.of(units, 8).priceAt(pricePerToken, 'EUR')?.toString()
    assert.equal(inEuros(39_999n, '12.5'), '0.01')
    assert.equal(inEuros(1n, '0.00000001'), '0.01')
    assert.equal(inEuros(10n ** 30n, '0'), '0.00')
    assert.equal(inEuros(10n ** 30n, '0.000'), '0.00')
  })
})
