import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { requireTransferStatus } from './require-transfer.ts'
import { transferErrors } from './transfer.errors.ts'
import type { TokenTransferRow } from './transfer.sql.ts'
import { isMoving } from './transfer-blockers.ts'
import { findTransferFacts } from './transfer-facts.sql.ts'

/** Throws 409 if the units of the transfer have moved, or are about to. */
export async function requireUnsent(
  tx: Transaction,
  tenantId: string,
  row: TokenTransferRow,
  what: 'cancelled' | 'rejected',
): Promise<void> {
  requireTransferStatus(row, ['REQUESTED', 'APPROVED', 'READY'], what)
  const { opState } = await findTransferFacts(tx, tenantId, row)
  if (isMoving(opState))
    throw new ApiError(
      transferErrors.transfer_not_in_state,
      `The forced transfer of its units is ${opState}, so it can no longer be ${what}.`,
    )
}
