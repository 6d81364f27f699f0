import { Type } from 'typebox'
import { viewApiRow } from '../../../platform/api/declare/api-row.ts'
import { orNull, Timestamp } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { holderErrors } from '../holder.errors.ts'
import { BlockNumberOf, RegisterChange } from '../holder.schema.ts'
import { selectRegisterChanges } from '../register-change.sql.ts'
import { resolveBlock } from '../resolve-block.ts'

export const listRegisterChanges = keysetListOperation(
  {
    id: 'listRegisterChanges',
    summary: 'Compare the register of a token at two times',
    description: 'Every holder whose units differ between two times or blocks. Who has the same at both is not listed.',
    tag: 'Settlement',
    path: '/offerings/:offeringId/register-changes',
    duty: 'read',
    cost: 'heavy',
    params: OfferingPath,
    item: RegisterChange,
    beside: {
      from_block: orNull(BlockNumberOf('The block at the start; null while the indexer has read none.')),
      to_block: orNull(BlockNumberOf('The block at the end.')),
    },
    sorts: ['address'],
    direction: 'asc',
    query: {
      from: Type.Optional(Timestamp('The first time; by default before the first mint.')),
      from_block: Type.Optional(BlockNumberOf('Or: after this block.')),
      to: Type.Optional(Timestamp('The second time; by default that of the last finalized block.')),
      to_block: Type.Optional(BlockNumberOf('Or: after this block.')),
    },
    errors: [requestErrors.not_found, holderErrors.block_not_finalized],
  },
  async ({ params, query, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const { from: at, from_block = at === undefined ? 0 : undefined } = query
    const { block: to } = await resolveBlock(
      tx,
      key,
      { at: query.to, block: query.to_block },
      { at: 'to', block: 'to_block' },
    )
    if (to === null) return { from_block: null, to_block: null, count: 0, results: [], next: undefined }
    const names = { at: 'from', block: 'from_block' }
    const { block: from } = await resolveBlock(tx, key, { at, block: from_block }, names)
    if (from === null) throw new Error('a block was given, and none was found')
    if (from > to)
      throw validationFailed([{ parameter: 'to', detail: 'The end of the period must not be before its start.' }])
    const [count, rows] = await selectRegisterChanges(tx, key, { from, to }, page)
    return { from_block: Number(from), to_block: Number(to), count, ...pageOf(rows, page, viewApiRow) }
  },
)
