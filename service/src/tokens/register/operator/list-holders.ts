import { Type } from 'typebox'
import { orNull, Timestamp } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import type { ValidatedInput } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { holderErrors } from '../holder.errors.ts'
import { BlockNumberOf, Holder } from '../holder.schema.ts'
import { countHolders, selectHolders } from '../holder.sql.ts'
import { viewHolder } from '../holder.view.ts'
import { resolveBlock } from '../resolve-block.ts'

export const listHolders = keysetListOperation(
  {
    id: 'listHolders',
    summary: 'List the holders of a token',
    description:
      'The register: every holder with units, largest first, as it is now, after a finalized block or at a time. A ' +
      'finalized block never changes, so the register at a block or a time does not change either. As a file: ' +
      '`POST /exports`.',
    tag: 'Settlement',
    path: '/offerings/:offeringId/holders',
    duty: 'read',
    // The current register is stored. An earlier one is summed from the log of each holder.
    cost: { isHeavy: ({ query }: ValidatedInput) => query['block'] !== undefined || query['at'] !== undefined },
    params: OfferingPath,
    item: Holder,
    beside: {
      block: orNull(
        BlockNumberOf(
          'The block; with `at`, the last one before it in which the token moved. Null while none has been read.',
        ),
      ),
    },
    sorts: ['units', 'address'],
    query: {
      block: Type.Optional(BlockNumberOf('After this block; by default the register as it is now.')),
      at: Type.Optional(Timestamp('At this time, instead of after a block.')),
    },
    errors: [requestErrors.not_found, holderErrors.block_not_finalized],
  },
  async ({ params, query, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const { block } = await resolveBlock(tx, key, query)
    if (block === null) return { block: null, count: 0, results: [], next: undefined }
    const isNow = query.block === undefined && query.at === undefined
    const at = isNow ? null : block
    const [count, rows] = await tx.batch(
      (tx) => countHolders(tx, key, at),
      (tx) => selectHolders(tx, key, at, page),
    )
    return { block: Number(block), count, ...pageOf(rows, page, viewHolder) }
  },
)
