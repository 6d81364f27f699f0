import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pendingApprovalsText } from './pending-approvals-text.ts'

const [ann, ben] = ['ann', 'ben']
const at = (minute: number) => new Date(Date.UTC(2026, 6, 2, 10, minute))
const payout = (id: string, proposedBy: string, amountMinor: string | null, minute: number) => ({
  id,
  database: 'cell' as const,
  operation: 'releasePayout',
  subjectType: 'payout',
  subjectId: `of-${id}`,
  amountMinor,
  currency: amountMinor === null ? null : 'EUR',
  proposedBy,
  proposedAt: at(minute),
})
const names = new Map([
  [ann, 'Ann'],
  [ben, 'Ben'],
])
const textOf = (approvals: ReturnType<typeof payout>[]) => pendingApprovalsText(approvals, names, 'https://ops')

test('a mail about many proposals shows the largest and the oldest of each proposer, with object and amount', () => {
  const flood = Array.from({ length: 150 }, (_, index) => payout(`f${index}`, ann, '100', 10))
  const { subject, text } = textOf([
    ...flood,
    payout('large', ann, '500000000', 20),
    payout('old', ann, null, 1),
    payout('real', ben, '250050', 30),
  ])
  assert.equal(subject, '153 changes wait for your confirmation')
  assert.match(text, /Proposed by "Ann": 152\n- releasePayout, payout of-large, 5000000\.00 EUR, 2026-07-02 10:20 UTC/)
  assert.match(text, /payout of-old, 2026-07-02 10:01 UTC\n {2}https:\/\/ops\/console\/approvals\/cell\/old\n/)
  assert.match(text, /and 146 more/)
  assert.match(text, /Proposed by "Ben": 1\n- releasePayout, payout of-real, 2500\.50 EUR, 2026-07-02 10:30 UTC/)
  assert.ok(text.split('\n').length < 30, text)
})

test('a mail about one proposal says so', () => {
  assert.equal(textOf([payout('a', ann, null, 1)]).subject, 'A change waits for your confirmation')
})
