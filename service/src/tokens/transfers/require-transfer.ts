import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { transferErrors } from './transfer.errors.ts'
import { findTransfer, lockTransfer, type TokenTransferRow, type TransferKey } from './transfer.sql.ts'
import { isMoving, transferPreconditions } from './transfer-blockers.ts'
import { findTransferFacts, type TransferFacts } from './transfer-facts.sql.ts'
import type { TransferStatus } from './transfer-status.ts'

export async function requireTransfer(tx: Transaction, key: TransferKey): Promise<TokenTransferRow> {
  return found(await findTransfer(tx, key))
}

/** Locks the transfer; throws 404 if it does not exist. */
export async function requireLockedTransfer(tx: Transaction, key: TransferKey): Promise<TokenTransferRow> {
  return found(await lockTransfer(tx, key))
}

function found(row: TokenTransferRow | undefined): TokenTransferRow {
  if (!row) throw new ApiError(requestErrors.not_found, 'The transfer does not exist.')
  return row
}

/** Throws 409 unless the transfer has one of these statuses. */
export function requireTransferStatus(
  { status }: Pick<TokenTransferRow, 'status'>,
  allowed: readonly TransferStatus[],
  what: string,
): void {
  if (allowed.includes(status)) return
  throw new ApiError(
    transferErrors.transfer_not_in_state,
    `The transfer is ${status}; it must be ${allowed.join(' or ')} to be ${what}.`,
  )
}

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

/** Throws 409 with all blockers unless every precondition is met. Returns the checked facts. */
export async function requirePreconditions(
  tx: Transaction,
  tenantId: string,
  row: TokenTransferRow,
  now: Date,
): Promise<TransferFacts> {
  const facts = await findTransferFacts(tx, tenantId, row)
  const blockers = transferPreconditions({ ...row, ...facts, now })
  if (blockers.length === 0) return facts
  const texts = blockers.map(({ code, message }) => `${code}: ${message}`)
  throw new ApiError(transferErrors.transfer_blocked, texts.join(' '))
}
