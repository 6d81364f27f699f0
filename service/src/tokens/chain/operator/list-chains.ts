import { type Static, Type } from 'typebox'
import { Named, orNull, Timestamp } from '../../../platform/api/declare/fields.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { type ChainStatusRow, selectChainStatuses } from '../chain-status.sql.ts'

const BlockNumber = (description: string) => orNull(Type.Integer({ minimum: 0, description, examples: [23_000_000] }))

const ChainStatus = Named('ChainStatus', {
  chain: Type.String({ description: 'The name of the chain.', examples: ['sepolia'] }),
  head: BlockNumber('The newest block, as a worker last saw it.'),
  head_at: orNull(Timestamp('The time of that block.')),
  finalized: BlockNumber('The last finalized block.'),
  checked_at: orNull(Timestamp('When a worker last asked the nodes.')),
  problem: orNull(Type.String({ description: 'Why it could not read them.' }), { examples: [null] }),
  indexed: BlockNumber('The last block that the indexer has read.'),
  indexed_at: orNull(Timestamp('The time of that block.')),
  indexed_finalized: BlockNumber('The last finalized block that balances and orders contain.'),
  indexed_finalized_at: orNull(Timestamp('The time of that block.')),
  indexer_moved_at: orNull(Timestamp('When the indexer last read a block.')),
  lag_blocks: BlockNumber('How many blocks the indexer is behind `head`.'),
  lag_seconds: orNull(
    Type.Integer({ minimum: 0, description: 'How far it is behind, by the times of the blocks.', examples: [0] }),
  ),
})

export const listChains = operatorOperation(
  {
    id: 'listChains',
    summary: 'Show the state of the chains',
    description:
      'Head, finality and how far the indexer is behind, for each chain. Workers ask the nodes every ten seconds.',
    tag: 'Settlement',
    method: 'GET',
    path: '/chains',
    duty: 'read',
    idempotency: 'none',
    success: {
      status: 200,
      body: Named('ChainStatuses', { results: Type.Array(ChainStatus, { maxItems: 100 }) }),
    },
    errors: [],
  },
  async (_, { tx }) => ({ results: (await selectChainStatuses(tx)).map(viewChainStatus) }),
)

function viewChainStatus(row: ChainStatusRow): Static<typeof ChainStatus> {
  const { headNumber, headAt, indexedNumber, indexedAt } = row
  const numberOf = (text: string | null) => (text === null ? null : Number(text))
  const timeOf = (at: Date | null) => at?.toISOString() ?? null
  const lag = headNumber === null || indexedNumber === null ? null : Number(headNumber) - Number(indexedNumber)
  const seconds = headAt && indexedAt ? Math.round((headAt.getTime() - indexedAt.getTime()) / 1000) : null
  return {
    chain: row.chain,
    head: numberOf(headNumber),
    head_at: timeOf(headAt),
    finalized: numberOf(row.finalizedNumber),
    checked_at: timeOf(row.checkedAt),
    problem: row.problem,
    indexed: numberOf(indexedNumber),
    indexed_at: timeOf(indexedAt),
    indexed_finalized: numberOf(row.indexedFinalizedNumber),
    indexed_finalized_at: timeOf(row.indexedFinalizedAt),
    indexer_moved_at: timeOf(row.indexerMovedAt),
    // The indexer may have read a block that the worker has not seen yet.
    lag_blocks: lag === null ? null : Math.max(0, lag),
    lag_seconds: seconds === null ? null : Math.max(0, seconds),
  }
}
