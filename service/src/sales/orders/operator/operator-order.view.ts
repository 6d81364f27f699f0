import type { Static } from 'typebox'
import { found } from '../../../platform/api/errors/found.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { blockersOf } from '../blockers.ts'
import { findMintPreconditions, type MintPreconditions } from '../mint-preconditions.ts'
import { viewOrder } from '../order.view.ts'
import type { OrderId } from '../order-transition.sql.ts'
import type { OperatorOrder } from './operator-order.schema.ts'
import { findOperatorOrder, type OperatorOrderRow } from './operator-order.sql.ts'

export function viewOperatorOrder(row: OperatorOrderRow & MintPreconditions): Static<typeof OperatorOrder> {
  return {
    ...viewOrder(row),
    payment_reference: row.paymentReference,
    payment_due_at: row.paymentDueAt.toISOString(),
    missing_amount: row.missing.toNumber(),
    accepted_at: row.acceptedAt?.toISOString() ?? null,
    cancelled_at: row.cancelledAt?.toISOString() ?? null,
    mint_wallet_id: row.mintWalletId,
    blockers: blockersOf(row),
  }
}

/** Reads an order with its blockers. Throws not_found if it does not exist. */
export async function readOperatorOrder(tx: Transaction, key: OrderId): Promise<Static<typeof OperatorOrder>> {
  const row = found(await findOperatorOrder(tx, key), 'Order not found.')
  return viewOperatorOrder({ ...row, ...(await findMintPreconditions(tx, row)) })
}
