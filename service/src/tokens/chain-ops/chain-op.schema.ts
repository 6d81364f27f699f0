import { Type } from 'typebox'
import { orNull, Text, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'
import { chainOpKinds, chainOpStates } from './chain-op.ts'

const closed = { additionalProperties: false }

export const ChainOpPath = Type.Object({ opId: Uuid('The chain op.') })

const exampleHash = `0x${'ab'.repeat(32)}`
const Hash = (description: string) => Type.String({ description, examples: [exampleHash] })

/** What was asked of a chain, and how far it has come. */
export const ListedChainOp = Type.Object(
  {
    id: Uuid('The chain op.'),
    blockchain: Type.String({ examples: ['ethereum'] }),
    kind: Type.Enum(chainOpKinds, { description: 'What was asked for.' }),
    state: Type.Enum(chainOpStates, {
      description:
        '`QUEUED` → `RESERVED` (it has a number) → `SIGNED` (it may be on its way) → `MINED` (in a block that may ' +
        'still vanish) → `FINAL`, `REVERTED` (it did not happen) or `CANCELLED`. `ALARM`: a person must find out.',
    }),
    offering_id: orNull(Uuid('The offering that it is about.', 'The offering.')),
    depends_on: orNull(Uuid('Not sent before this one is final.'), { examples: [null] }),
    to_address: Type.String({ description: 'The contract.', examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] }),
    nonce: orNull(Type.Integer({ minimum: 0, description: 'Its number among the transactions of the signer.' })),
    mined_hash: orNull(Hash('The transaction that is in a block.'), { examples: [null] }),
    mined_block: orNull(Type.Integer({ minimum: 0, description: 'That block.' }), { examples: [null] }),
    failure: orNull(Type.String({ description: 'Why it was reverted, or what a person must find out.' }), {
      examples: [null],
    }),
    is_cancelling: Type.Boolean({ description: 'Whether its number is to be used for nothing.' }),
    is_bumping: Type.Boolean({ description: 'Whether its fee is raised at the next look.' }),
    created_at: Timestamp('When it was asked for.'),
    changed_at: Timestamp('When its state last changed.'),
  },
  { ...closed, title: 'ListedChainOp' },
)

const ChainAttempt = Type.Object(
  {
    hash: Hash('Of the transaction.'),
    attempt: Type.Integer({ minimum: 1 }),
    max_fee_per_gas: orNull(Units('In wei; null for what somebody else has sent.', '2000000000')),
    max_priority_fee_per_gas: orNull(Units('In wei; null for what somebody else has sent.', '1000000000')),
    is_cancellation: Type.Boolean({ description: 'Whether it uses the number for nothing.' }),
    is_foreign: Type.Boolean({ description: 'Whether somebody else has sent it.' }),
    created_at: Timestamp('When it was signed or attached.'),
  },
  { ...closed, title: 'ChainAttempt' },
)

export const ChainOperation = Type.Object(
  {
    ...ListedChainOp.properties,
    attempts: Type.Array(ChainAttempt, { description: 'Every transaction that may have done it, oldest first.' }),
  },
  { ...closed, title: 'ChainOperation' },
)

export const ForeignTransaction = Type.Object(
  {
    transaction_hash: Type.String({
      pattern: '^0x[0-9a-fA-F]{64}$',
      'x-meaning': 'be 0x and 64 hexadecimal digits',
      description: 'A transaction that made the same call.',
      examples: [exampleHash],
    }),
  },
  { ...closed, title: 'ForeignTransaction' },
)

/** Why somebody does what only a person may. */
export const SettlementReason = Type.Object(
  { reason: Text(1, 500, { description: 'For the audit log.', examples: ['The nonce was used by a test.'] }) },
  { ...closed, title: 'SettlementReason' },
)
