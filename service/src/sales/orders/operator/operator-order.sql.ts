import type { OfferingOf } from '../../../platform/api/declare/offering-of.ts'
import type { Money } from '../../../platform/base/money.ts'
import { readMinor } from '../../../platform/postgres/read-money.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { accountSummaryColumns } from '../../accounts/account.sql.ts'
import { offeringSummaryColumns } from '../../offerings/offering.sql.ts'
import { joinAccount, joinOffering, type OrderDetailRow, type OrderRow, orderSummaryColumns } from '../order.sql.ts'
import {
  type OrderId,
  type OrderWithOffering,
  orderWithOfferingColumns,
  readOrderAmounts,
} from '../order-transition.sql.ts'

export type OperatorOrderRow = OrderDetailRow &
  OrderWithOffering &
  Pick<OrderRow, 'paymentReference'> & { missing: Money }

export const operatorOrderColumns: Sql = sql`
  ${orderSummaryColumns}, ${accountSummaryColumns}, ${offeringSummaryColumns}, ${orderWithOfferingColumns},
  token_order.payment_bank_account as "paymentBankAccount", token_order.created_at as "createdAt",
  token_order.payment_reference as "paymentReference", token_order.missing_minor::text as missing`

export function readOperatorOrderAmounts<Found>(found: Found): Found {
  return readMinor('missing')(readOrderAmounts(found))
}

export function findOperatorOrder(
  tx: Transaction,
  { tenantId, orderId }: OrderId,
): Promise<OperatorOrderRow | undefined> {
  return tx
    .row<OperatorOrderRow>(sql`
    select ${operatorOrderColumns} from cell.token_order ${joinAccount} ${joinOffering}
    where token_order.tenant_id = ${tenantId} and token_order.id = ${orderId}`)
    .then(readOperatorOrderAmounts)
}

/** Finds the offering of the order in the path. */
export const offeringOfOrder: OfferingOf = async ({ orderId = '' }, { tenantId, tx }) => {
  const order = await tx.row<{ offeringId: string }>(sql`
    select offering_id as "offeringId" from cell.token_order where tenant_id = ${tenantId} and id = ${orderId}`)
  return order?.offeringId ?? null
}
