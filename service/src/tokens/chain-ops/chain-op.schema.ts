import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'
import { chainOpKinds, chainOpStates } from './chain-op.ts'

export const ChainOpPath = Type.Object({ opId: Uuid('The chain op.') })

const exampleHash = `0x${'ab'.repeat(32)}`
const Hash = (description: string) => Type.String({ description, examples: [exampleHash] })

export const ListedChainOp = Named('ListedChainOp', {
  id: Uuid('The chain op.'),
  blockchain: Type.String({ examples: ['ethereum'] }),
  kind: Type.Enum(chainOpKinds, { description: 'What the call does.' }),
  state: Type.Enum(chainOpStates, {
    description:
      '`QUEUED` → `RESERVED` (it has a nonce) → `SIGNED` (a transaction may be in flight) → `MINED` (in a block ' +
      'that a reorg can still remove) → `FINAL`, `REVERTED` (it had no effect) or `CANCELLED`. `ALARM`: an unknown ' +
      'transaction used the nonce, and an operator must find out which.',
  }),
  offering_id: orNull(Uuid('The offering whose token the call concerns.', 'The offering.')),
  depends_on: orNull(Uuid('The chain op that happens before this one, which is sent once that one is in a block.'), {
    examples: [null],
  }),
  to_address: Type.String({
    description: 'The contract that is called.',
    examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
  }),
  nonce: orNull(Type.Integer({ minimum: 0, description: "The signer's nonce that this op uses." })),
  mined_hash: orNull(Hash('The transaction that executed it.'), { examples: [null] }),
  mined_block: orNull(Type.Integer({ minimum: 0, description: 'The block of that transaction.' }), {
    examples: [null],
  }),
  failure: orNull(Type.String({ description: 'Why it reverted, or what an operator must find out.' }), {
    examples: [null],
  }),
  is_cancelling: Type.Boolean({ description: 'Whether an empty transaction is to consume its nonce instead.' }),
  is_bumping: Type.Boolean({ description: 'Whether the next check raises its fee.' }),
  created_at: Timestamp('When it was enqueued.'),
  changed_at: Timestamp('When its state last changed.'),
})

export const ChainAttempt = Named('ChainAttempt', {
  hash: Hash('Hash of the transaction.'),
  attempt: Type.Integer({ minimum: 1, description: 'Counts the attempts from 1.' }),
  max_fee_per_gas: orNull(Units('In wei; null for a foreign transaction.', '2000000000')),
  max_priority_fee_per_gas: orNull(Units('In wei; null for a foreign transaction.', '1000000000')),
  is_cancellation: Type.Boolean({ description: 'Whether it only consumes the nonce.' }),
  is_foreign: Type.Boolean({ description: 'Whether it was sent from outside the service.' }),
  created_at: Timestamp('When it was signed or attached.'),
})

export const ChainOperation = Named('ChainOperation', {
  ...ListedChainOp.properties,
  attempts: Type.Array(ChainAttempt, { description: 'Every transaction that may have executed it, oldest first.' }),
})

export const ForeignTransaction = Named('ForeignTransaction', {
  transaction_hash: Type.String({
    pattern: '^0x[0-9a-fA-F]{64}$',
    'x-meaning': 'be 0x and 64 hexadecimal digits',
    description: 'A transaction that made the same call.',
    examples: [exampleHash],
  }),
})

/** The body of operator requests that need a reason. */
export const SettlementReason = Named('SettlementReason', {
  reason: Text(1, 500, { description: 'For the audit log.', examples: ['The nonce was used by a test.'] }),
})
