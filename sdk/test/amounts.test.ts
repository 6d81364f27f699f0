import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromUnits, toUnits } from '../src/sdk.ts'

test('converting an amount to units and back returns the same amount', () => {
  for (const [amount, decimals, units] of [
    ['10.5', 8, 1_050_000_000n],
    ['10', 8, 1_000_000_000n],
    ['0.00000001', 8, 1n],
    ['0', 0, 0n],
    ['7', 0, 7n],
    ['123456789012345678901234567890.123456789012345678', 18, 123456789012345678901234567890123456789012345678n],
  ] as const) {
    assert.equal(toUnits(amount, decimals), units)
    assert.equal(fromUnits(units, decimals), amount)
  }
  assert.equal(toUnits('1.500', 1), 15n)
})

test('an amount that is ambiguous or would have to be rounded is rejected', () => {
  for (const amount of ['', '.5', '5.', '1e3', '-1', '+1', ' 1', '1,5', '0x1', '1_000', 1 as never])
    assert.throws(() => toUnits(amount, 8), { name: 'UsageError' }, amount)
  assert.throws(() => toUnits('0.000000001', 8), { name: 'UsageError', message: /8 decimal places/ })
  for (const decimals of [-1, 1.5, 19, Number.NaN]) assert.throws(() => toUnits('1', decimals), { name: 'UsageError' })
  assert.throws(() => fromUnits(-1n, 8), { name: 'UsageError' })
})
