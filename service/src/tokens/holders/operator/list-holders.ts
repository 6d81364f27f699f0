import { Type } from 'typebox'
import { orNull, Units, Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { holderErrors } from '../holder.errors.ts'
import { countHolders, findFinalBlock, selectHolders as listRows } from '../holder.sql.ts'

const Block = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [23_000_000] })

const Holder = Type.Object(
  {
    address: Type.String({ examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] }),
    units: Units('What it has after that block.'),
    wallet_id: orNull(Uuid('The wallet with this address, if it is one of ours.', 'The wallet.')),
    account_id: orNull(Uuid('Whose wallet it is.', 'The account.')),
  },
  { additionalProperties: false, title: 'Holder' },
)

export const listHolders = operatorListOperation(
  {
    id: 'listHolders',
    summary: 'List the holders of a token',
    description:
      'Who had how many units after a block, by address. A block that is final never changes, so neither does the ' +
      'answer. As CSV: `npm run maintain -- holders --csv`.',
    tag: 'Settlement',
    path: '/offerings/:offeringId/holders',
    role: 'viewer',
    params: OfferingPath,
    item: Holder,
    beside: { block: orNull(Block('The block; null while none has been read.')) },
    query: { block: Type.Optional(Block('After which block; the last final one where it is left out.')) },
    errors: [requestErrors.not_found, holderErrors.block_not_finalized],
  },
  async ({ params, query, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const final = await findFinalBlock(tx, key)
    if (!final) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    const block = query.block === undefined ? final.block : BigInt(query.block)
    if (block !== null && (final.block === null || block > final.block))
      throw new ApiError(
        holderErrors.block_not_finalized,
        `The last block that is final and read is ${final.block ?? 'none yet'}.`,
      )
    if (block === null) return { block: null, count: 0, results: [] }
    const [count, rows] = await Promise.all([countHolders(tx, key, block), listRows(tx, key, block, page)])
    const results = rows.map(({ address, units, walletId, accountId }) => ({
      address,
      units,
      wallet_id: walletId,
      account_id: accountId,
    }))
    return { block: Number(block), count, results }
  },
)
