import { type Static, Type } from 'typebox'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { blockersOf } from '../blockers.ts'
import { gateFactsOf } from '../mint-preconditions.ts'
import { viewOrder } from '../order.view.ts'
import type { LivingOrder, OrderId } from '../order-life.sql.ts'
import { OperatorOrder } from './operator-order.schema.ts'
import { findOperatorOrder, type OperatorOrderRow } from './operator-order.sql.ts'

/** In a list the blockers are left to the single order: each costs a look at the account and its wallets. */
export const ListedOrder = Type.Omit(OperatorOrder, ['blockers'], { additionalProperties: false, title: 'ListedOrder' })

export function viewListedOrder(row: OperatorOrderRow): Static<typeof ListedOrder> {
  return {
    ...viewOrder(row),
    payment_reference: row.paymentReference,
    payment_due_at: row.paymentDueAt.toISOString(),
    accepted_at: row.acceptedAt?.toISOString() ?? null,
    cancelled_at: row.cancelledAt?.toISOString() ?? null,
    mint_wallet_id: row.mintWalletId,
  }
}

/** The order as an operator sees it now, with everything that keeps it from advancing; or 404. */
export async function readOperatorOrder(tx: Transaction, key: OrderId): Promise<Static<typeof OperatorOrder>> {
  const row = await findOperatorOrder(tx, key)
  if (!row) throw new ApiError(requestErrors.not_found, 'There is no such order.')
  const living: LivingOrder = { ...row, status: row.orderStatus, currency: row.orderCurrency }
  return { ...viewListedOrder(row), blockers: blockersOf(await gateFactsOf(tx, living)) }
}
