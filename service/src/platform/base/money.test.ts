import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Money } from './money.ts'

const euros = (decimal: string) => Money.parse(decimal, 'EUR')

describe('an amount of money', () => {
  test('adds and subtracts exactly, with the decimal places of its currency', () => {
    for (const [currency, one, other, sum, difference] of [
      ['EUR', '12.50', '0.05', '12.55', '12.45'],
      ['EUR', '0', '12.5', '12.50', '-12.50'],
      ['EUR', '0.1', '0.20000', '0.30', '-0.10'],
      ['EUR', '1.00001', '0.00001', '1.00002', '1.00'],
      ['JPY', '1000', '1', '1001', '999'],
      ['TND', '0.001', '9.999', '10.000', '-9.998'],
      ['CLF', '1.0001', '0', '1.0001', '1.0001'],
      ['XYZ', '1.5', '0.5', '2', '1'],
    ] as const) {
      const [left, right] = [Money.parse(one, currency), Money.parse(other, currency)]
      assert.deepEqual([String(left.plus(right)), String(left.minus(right))], [sum, difference], `${one} ${currency}`)
    }
  })

  test('keeps the decimal places that it was read with', () => {
    for (const decimal of ['0', '0.00', '12.5', '-0.05', '12.34500', '999999999999999'])
      assert.deepEqual([String(euros(decimal)), JSON.stringify(euros(decimal))], [decimal, `"${decimal}"`])
    const normalized = ['0', '12.5', '12.34500'].map((decimal) => String(euros(decimal).normalized()))
    assert.deepEqual(normalized, ['0.00', '12.50', '12.345'])
  })

  test('converts to minor units only if it is a whole number of them', () => {
    assert.deepEqual([euros('12.50000').isWhole, euros('12.50000').minor], [true, 1_250n])
    assert.equal(Money.parse('7', 'CLF').minor, 70_000n)
    assert.equal(euros('12.505').isWhole, false)
    assert.throws(() => euros('12.505').minor, /not a whole number of minor units of EUR/)
  })

  test('compares by value, and refuses to mix currencies or to compare with operators', () => {
    assert.ok(euros('10').exceeds(euros('9.99')) && !euros('10').exceeds(euros('10.00')))
    assert.ok(euros('10').equals(euros('10.00')) && !euros('10').equals(Money.parse('10', 'CHF')))
    assert.equal(String(Money.smaller(euros('10'), euros('9'))), '9.00')
    assert.throws(() => euros('1').plus(Money.parse('1', 'CHF')), /EUR and one in CHF/)
    assert.throws(() => euros('1').exceeds(Money.parse('1', 'CHF')), /EUR and one in CHF/)
    assert.throws(() => euros('10') > euros('9'), /not a number/)
  })
})
