import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import type { RequestAudit } from '../declare/audit.ts'
import { Closed } from '../declare/fields.ts'
import { Masked } from '../declare/masked.ts'
import type { OperationWithRule } from './propose.ts'
import { proposalsOf } from './run-proposed.ts'

const iban = 'DE02120300000000202051'
const BankData = Closed({ name: Type.String(), iban: Type.Union([Masked('iban', 'The IBAN.', iban), Type.Null()]) })

type Context = Parameters<ReturnType<typeof proposalsOf>['run']>[2]

const changeBankData: OperationWithRule<Context> = {
  database: 'directory',
  header: {
    id: 'changeBankData',
    summary: 'Change bank data',
    method: 'POST',
    path: '/bank-data',
    duty: 'compliance',
    approval: 'always',
    idempotency: 'none',
    body: BankData,
    success: { status: 200, body: Type.Object({ old: Type.Array(BankData) }) },
    errors: [],
  },
  run: async ({ body }) => ({ old: [body, { name: 'Grace', iban: null }] }),
}
const trail: RequestAudit = { add: () => undefined, isSilent: false, write: async () => undefined }
const proposals = proposalsOf([changeBankData], { auditOf: () => trail })
const stored = {
  id: crypto.randomUUID(),
  operation: 'changeBankData',
  request: Buffer.from(JSON.stringify({ params: {}, query: {}, body: { name: 'Ada', iban } })),
}

test('personal data in a proposed request is masked for those who read it', async () => {
  const { body } = await proposals.read(stored, {} as never)
  assert.deepEqual(body, { name: 'Ada', iban: 'DE02…2051' })
})

test('a confirmed operation gets the personal data in full, and its result is masked', async () => {
  const proposed = { ...stored, secrets: null, subjectId: '', subjectVersion: '', proposer: { userId: '' } as never }
  const second = { userId: '', requestId: '' }
  const result = await proposals.run(proposed, second, {} as never)
  assert.deepEqual(result, {
    old: [
      { name: 'Ada', iban: 'DE02…2051' },
      { name: 'Grace', iban: null },
    ],
  })
})
