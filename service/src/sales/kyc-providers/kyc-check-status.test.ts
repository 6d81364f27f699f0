import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type KnownDecisions, statusOfNewCheck } from './kyc-check-status.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 6, 2, hour))
const nothing: KnownDecisions = {
  accountStatus: 'NEW',
  statusDecidedAt: null,
  lastCheckDecidedAt: null,
  isFinalRejectionQueued: false,
}

describe('the effect of a new KYC result', () => {
  const cases: [name: string, outcome: 'approved' | 'rejected', known: Partial<KnownDecisions>, status: string][] = [
    ['an approval of a new account is applied', 'approved', {}, 'applied'],
    ['a rejection always waits', 'rejected', {}, 'queued'],
    ['a renewal is applied', 'approved', { accountStatus: 'APPROVED', statusDecidedAt: at(9) }, 'applied'],
    ['an older approval than the last result is outdated', 'approved', { lastCheckDecidedAt: at(11) }, 'outdated'],
    ['an approval at the time of the last result is outdated', 'approved', { lastCheckDecidedAt: at(10) }, 'outdated'],
    ['a rejection at the time of the last result waits', 'rejected', { lastCheckDecidedAt: at(10) }, 'queued'],
    ['an older rejection than the last result is outdated', 'rejected', { lastCheckDecidedAt: at(11) }, 'outdated'],
    [
      'an approval that is older than a rejection by a person is outdated',
      'approved',
      { accountStatus: 'REJECTED', statusDecidedAt: at(11) },
      'outdated',
    ],
    [
      'an approval after a rejection by a person waits for a person',
      'approved',
      { accountStatus: 'REJECTED', statusDecidedAt: at(9) },
      'queued',
    ],
    [
      'an approval of a deactivated account waits',
      'approved',
      { accountStatus: 'DEACTIVATED', statusDecidedAt: at(9) },
      'queued',
    ],
    [
      'an approval from before the account became PENDING waits for a person',
      'approved',
      { accountStatus: 'PENDING', statusDecidedAt: at(11) },
      'queued',
    ],
    [
      'an approval after a final rejection that waits also waits',
      'approved',
      { isFinalRejectionQueued: true },
      'queued',
    ],
  ]
  for (const [name, outcome, known, status] of cases)
    test(name, () => {
      const result = { outcome, decidedAt: at(10), validUntil: null }
      assert.equal(statusOfNewCheck(result, { ...nothing, ...known }, { approvals: 'apply', now: at(12) }), status)
    })

  test('a provider whose approvals are queued approves nothing', () => {
    const result = { outcome: 'approved', decidedAt: at(10), validUntil: null } as const
    assert.equal(statusOfNewCheck(result, nothing, { approvals: 'queue', now: at(12) }), 'queued')
  })

  test('an approval that is no longer valid when it arrives is outdated', () => {
    const result = { outcome: 'approved', decidedAt: at(10), validUntil: at(12) } as const
    assert.equal(statusOfNewCheck(result, nothing, { approvals: 'apply', now: at(12) }), 'outdated')
    assert.equal(statusOfNewCheck(result, nothing, { approvals: 'apply', now: at(11) }), 'applied')
  })
})
