import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewApproval } from '../../service/src/access/approvals/approval.view.ts'
import type { ApprovalRow } from '../../service/src/platform/api/pipeline/approval.sql.ts'
import { minorUnitDigitsOfAll } from '../../service/src/platform/base/money.ts'
import { learnMinorUnitDigits } from '../src/api/minor-unit-digits.ts'
import { decimalText, formatDecimal, isZero, percentText, subtract, trimmed } from '../src/parts/decimal.ts'
import { moneyText } from '../src/parts/money-text.ts'

const now = new Date()
const approval: ApprovalRow = {
  id: '',
  database: 'cell',
  operation: 'recordPayment',
  duty: 'money',
  confirmDuty: 'money',
  offeringId: null,
  subjectType: 'order',
  subjectId: '',
  request: Buffer.alloc(0),
  secrets: null,
  subjectVersion: '',
  amountMinor: null,
  currency: null,
  state: 'pending',
  proposedBy: '',
  proposedAt: now,
  expiresAt: now,
  decidedBy: null,
  decidedAt: null,
}
const { amountText } = await import(new URL('../../service/pages/amount-text.js', import.meta.url).href)

test('every currency of ISO 4217 has the same decimal places in the service, the console and the page of an approval', () => {
  const digitsOfAll = minorUnitDigitsOfAll()
  assert.ok(Object.keys(digitsOfAll).length > 150)
  learnMinorUnitDigits(digitsOfAll)
  for (const [currency, digits] of Object.entries(digitsOfAll)) {
    const amount = digits === 0 ? '1234' : `1234.${'56789'.slice(0, digits)}`
    const { decimal_amount: approved } = viewApproval(
      { ...approval, amountMinor: amount.replace('.', ''), currency },
      now,
    )
    assert.equal(approved, amount)
    const shown = `1,${amount.slice(1)}`
    assert.equal(moneyText(approved, currency, 'en'), `${shown} ${currency}`)
    assert.equal(moneyText('1234', currency, 'en'), `${`1,234.${'0'.repeat(digits)}`.replace(/\.$/, '')} ${currency}`)
    assert.equal(amountText({ decimal_amount: approved, currency }).replace(/\s/, ' '), `${currency} ${shown}`)
  }
})

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
  assert.throws(() => subtract('1e5', '1'), /1e5 is not a decimal number/)
})
