import { Type } from 'typebox'
import { orNull, Units, Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { holderErrors } from '../holder.errors.ts'
import { countHolders, findFinalizedBlock, selectHolders } from '../holder.sql.ts'

const Block = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [23_000_000] })

const Holder = Type.Object(
  {
    address: Type.String({ examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] }),
    units: Units('Units after that block.'),
    wallet_id: orNull(Uuid('The wallet with this address, if it is registered.', 'The wallet.')),
    account_id: orNull(Uuid('The account of the wallet.', 'The account.')),
  },
  { additionalProperties: false, title: 'Holder' },
)

export const listHolders = operatorListOperation(
  {
    id: 'listHolders',
    summary: 'List the holders of a token',
    description:
      'The units of every holder after a block, by address. A finalized block never changes, so the result for a ' +
      'block does not change either. As CSV: `npm run maintain -- holders --csv`.',
    tag: 'Settlement',
    path: '/offerings/:offeringId/holders',
    duty: 'read',
    params: OfferingPath,
    item: Holder,
    beside: { block: orNull(Block('The block; null while the indexer has read none.')) },
    query: { block: Type.Optional(Block('The block; by default the last finalized one.')) },
    errors: [requestErrors.not_found, holderErrors.block_not_finalized],
  },
  async ({ params, query, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const finalized = await findFinalizedBlock(tx, key)
    if (!finalized) throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
    const block = query.block === undefined ? finalized.block : BigInt(query.block)
    if (block !== null && (finalized.block === null || block > finalized.block))
      throw new ApiError(
        holderErrors.block_not_finalized,
        finalized.block === null
          ? 'The indexer has not read a finalized block of this chain yet.'
          : `block must be at most ${finalized.block}, the last finalized block that the indexer has read.`,
      )
    if (block === null) return { block: null, count: 0, results: [] }
    const [count, rows] = await Promise.all([countHolders(tx, key, block), selectHolders(tx, key, block, page)])
    const results = rows.map(({ address, units, walletId, accountId }) => ({
      address,
      units,
      wallet_id: walletId,
      account_id: accountId,
    }))
    return { block: Number(block), count, results }
  },
)
