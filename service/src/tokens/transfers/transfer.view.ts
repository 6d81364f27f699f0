import type { Static } from 'typebox'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OperatorTransfer, OperatorTransferSummary, Transfer, TransferSummary } from './transfer.schema.ts'
import { findNamedTransfer, type NamedTransferRow, type TokenTransferRow } from './transfer.sql.ts'
import { transferBlockersOf } from './transfer-blockers.ts'
import { findTransferFacts } from './transfer-facts.sql.ts'

export function viewTransferSummary(row: TokenTransferRow): Static<typeof TransferSummary> {
  return {
    id: row.id,
    offering_id: row.offeringId,
    sender_account_id: row.senderAccountId,
    sender_wallet_id: row.senderWalletId,
    receiver_account_id: row.receiverAccountId,
    receiver_wallet_id: row.receiverWalletId,
    units: row.units,
    reason: row.reason,
    status: row.status,
    rejection: row.rejection,
    transaction_hash: row.transactionHash,
    created_at: row.createdAt.toISOString(),
    approved_at: row.approvedAt?.toISOString() ?? null,
    ready_at: row.readyAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
  }
}

export function viewOperatorTransferSummary(row: NamedTransferRow): Static<typeof OperatorTransferSummary> {
  return {
    ...viewTransferSummary(row),
    offering_name: row.offering_name,
    decimals: row.decimals,
    sender_name: row.sender_name,
    receiver_name: row.receiver_name,
    chain_op_id: row.opId,
  }
}

export interface ViewContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly now: Date
}

export async function viewTransfer(context: ViewContext, row: TokenTransferRow): Promise<Static<typeof Transfer>> {
  return { ...viewTransferSummary(row), blockers: await blockersOf(context, row) }
}

/** Reads a transfer as operators see it. Throws 404 if it does not exist. */
export async function readOperatorTransfer(
  context: ViewContext,
  transferId: string,
): Promise<Static<typeof OperatorTransfer>> {
  const { tenantId, tx } = context
  const row = await findNamedTransfer(tx, { tenantId, transferId })
  if (!row) throw new ApiError(requestErrors.not_found, 'The transfer does not exist.')
  return { ...viewOperatorTransferSummary(row), blockers: await blockersOf(context, row) }
}

async function blockersOf({ tenantId, tx, now }: ViewContext, row: TokenTransferRow) {
  return transferBlockersOf({ ...row, ...(await findTransferFacts(tx, tenantId, row)), now })
}
