import type { Static } from 'typebox'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainOperation, ListedChainOp } from './chain-op.schema.ts'
import type { ChainOpKey } from './chain-op.sql.ts'
import { type ChainOpRow, findChainOp, listAttemptRows } from './chain-op-list.sql.ts'

export function viewListedChainOp(row: ChainOpRow): Static<typeof ListedChainOp> {
  return {
    ...row,
    nonce: row.nonce === null ? null : Number(row.nonce),
    mined_block: row.mined_block === null ? null : Number(row.mined_block),
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  }
}

/** The op with every attempt at it, as it is now; or 404. */
export async function readChainOp(tx: Transaction, key: ChainOpKey): Promise<Static<typeof ChainOperation>> {
  const [row, attempts] = await Promise.all([findChainOp(tx, key), listAttemptRows(tx, key)])
  if (!row) throw new ApiError(requestErrors.not_found, 'There is no such chain op.')
  const viewed = attempts.map((one) => ({ ...one, created_at: one.created_at.toISOString() }))
  return { ...viewListedChainOp(row), attempts: viewed }
}
