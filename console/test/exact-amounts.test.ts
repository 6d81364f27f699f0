import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalText, formatDecimal, isZero, percentText, scaleOf, subtract, trimmed } from '../src/parts/decimal.ts'

test('amounts keep all digits, however many there are', () => {
  assert.equal(subtract('90071992547409931234567.89', '0.01'), '90071992547409931234567.88')
  assert.equal(subtract('0.3', '0.1'), '0.2')
  assert.equal(subtract('1', '1.005'), '-0.005')
  assert.equal(decimalText(-5n, 2), '-0.05')
  assert.equal(decimalText(123n, 0), '123')
  assert.equal(formatDecimal('90071992547409931234567.89', 'en'), '90,071,992,547,409,931,234,567.89')
  assert.equal(formatDecimal('12.5', 'de', 2), '12,50')
  assert.equal(trimmed('1.2300', 1), '1.23')
  assert.equal(trimmed('1.000'), '1')
  assert.ok(isZero('0.00'))
  assert.equal(percentText(1n, 3n), '33.3')
  assert.deepEqual(['EUR', 'JPY', 'BHD'].map(scaleOf), [2, 0, 3])
  assert.throws(() => subtract('1e5', '1'), /1e5 is not a decimal number/)
})
