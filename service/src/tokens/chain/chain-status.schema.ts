import { Type } from 'typebox'
import { Named, orNull, Timestamp } from '../../platform/api/declare/fields.ts'

const BlockNumber = (description: string) => orNull(Type.Integer({ minimum: 0, description, examples: [23_000_000] }))

export const ChainStatus = Named('ChainStatus', {
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
