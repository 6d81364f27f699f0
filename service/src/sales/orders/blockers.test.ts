import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Money } from '../../platform/base/money.ts'
import { type BlockerCode, blockerCodes, blockersOf, preconditionBlockers } from './blockers.ts'
import type { MintPreconditions } from './mint-preconditions.ts'

/** An order that is READYTOMINT and has no blockers. */
const ready: MintPreconditions = {
  tenantId: 'tenant',
  id: 'order',
  offeringId: 'offering',
  accountId: 'account',
  status: 'READYTOMINT',
  units: '1000000000',
  totalAmount: Money.parse('125.00', 'EUR'),
  paidAmount: Money.parse('125.00', 'EUR'),
  currency: 'EUR',
  paidAt: new Date('2026-07-02T10:00:00Z'),
  cancelledAt: null,
  paymentDueAt: new Date('2026-07-16T10:00:00Z'),
  acceptedAt: new Date('2026-07-02T11:00:00Z'),
  mintWalletId: 'wallet',
  reportedBlockers: [],
  mintOpId: null,
  mintFailures: 0,
  mintHoldReason: null,
  paymentTolerance: Money.zero('EUR'),
  acceptanceRequired: true,
  blockchain: 'ethereum',
  isTokenMissing: false,
  isTokenUnreadable: false,
  isSoftCapMissing: false,
  hasInvestorLimit: false,
  isMintingStopped: false,
  mintingStopped: null,
  accountType: 'COMPANY',
  approval: 'APPROVED',
  benefitingPersonCount: 1,
  walletId: 'wallet',
  ineligibility: [],
}

/** A change that causes only this blocker, and its message. */
const causes: Record<BlockerCode, [change: Partial<MintPreconditions>, message: RegExp]> = {
  payment_missing: [
    { status: 'ORDERED', paidAmount: Money.parse('25.00', 'EUR') },
    /^100\.00 EUR are missing; .* 2026-07-16T10:00:00\.000Z/,
  ],
  payment_overdue: [{ status: 'NOPAYMENT' }, /not paid by its deadline at 2026-07-16/],
  approval_missing: [{ approval: 'PENDING' }, /kyb status of the account is PENDING/],
  benefiting_person_missing: [{ benefitingPersonCount: 0 }, /without a benefiting person/],
  wallet_missing: [{ walletId: null }, /no active wallet on ethereum/],
  acceptance_missing: [{ acceptedAt: null }, /not accepted/],
  country_not_allowed: [{ ineligibility: ['country_not_allowed'] }, /in the country of the account/],
  account_type_not_allowed: [{ ineligibility: ['account_type_not_allowed'] }, /this kind of investor/],
  investor_limit_exceeded: [{ ineligibility: ['investor_limit_exceeded'] }, /largest sum for one investor/],
  account_not_invited: [{ ineligibility: ['account_not_invited'] }, /not invited/],
  document_not_accepted: [{ ineligibility: ['document_not_accepted'] }, /not accepted all documents/],
  questionnaire_missing: [{ ineligibility: ['questionnaire_missing'] }, /not answered/],
  questionnaire_refused: [{ ineligibility: ['questionnaire_refused'] }, /not appropriate/],
  soft_cap_missing: [{ isSoftCapMissing: true }, /soft cap/],
  token_missing: [{ isTokenMissing: true }, /not deployed on ethereum/],
  token_unreadable: [{ isTokenUnreadable: true }, /cannot be read from ethereum/],
  minting_stopped: [{ isMintingStopped: true, mintingStopped: 'paused' }, /stopped: paused/],
  mint_on_hold: [{ mintHoldReason: 'reverted' }, /rejected: reverted/],
}

describe('blockers of an order', () => {
  test('an order that meets all preconditions has none', () => {
    assert.deepEqual(blockersOf(ready), [])
  })

  for (const code of blockerCodes)
    test(`${code} has its own cause, a message and a remedy`, () => {
      const [change, message] = causes[code]
      const [blocker, ...others] = blockersOf({ ...ready, ...change })
      assert.deepEqual([blocker?.code, others], [code, []])
      assert.match(blocker?.message ?? '', message)
      assert.match(blocker?.remedy ?? '', /^[A-Z].*\.$/)
    })

  test('all blockers are returned, not just the first', () => {
    const change = { approval: 'NEW', benefitingPersonCount: 0, walletId: null, acceptedAt: null, isTokenMissing: true }
    const preconditions = ['approval_missing', 'benefiting_person_missing', 'wallet_missing', 'acceptance_missing']
    const codesOf = (order: MintPreconditions) => blockersOf(order).map(({ code }) => code)
    assert.deepEqual(codesOf({ ...ready, ...change }), [...preconditions, 'token_missing'])
    assert.deepEqual(codesOf({ ...ready, ...change, status: 'PAID' }), preconditions)
    assert.deepEqual(codesOf({ ...ready, ...change, status: 'ORDERED' }), ['payment_missing', ...preconditions])
  })

  test('only individuals need kyc, and no benefiting person', () => {
    const person = { ...ready, accountType: 'INDIVIDUAL', approval: 'REJECTED', benefitingPersonCount: 0 } as const
    const [blocker, ...others] = preconditionBlockers(person)
    assert.match(blocker?.message ?? '', /kyc status of the account is REJECTED/)
    assert.deepEqual(others, [])
  })

  for (const status of ['MINTING', 'MINTED', 'CANCELLED'] as const)
    test(`an order that is ${status} has none, whatever is missing`, () => {
      assert.deepEqual(blockersOf({ ...ready, status, approval: 'REJECTED', walletId: null }), [])
    })
})
