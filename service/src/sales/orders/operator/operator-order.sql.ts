import { filteredCut } from '../../../platform/api/declare/page.sql.ts'
import type { Page } from '../../../platform/api/declare/page.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { accountSummaryColumns } from '../../accounts/account.sql.ts'
import { offeringSummaryColumns } from '../../offerings/offering.sql.ts'
import { joinAccount, joinOffering, type OrderDetailRow, type OrderRow, orderSummaryColumns } from '../order.sql.ts'
import { type OrderId, type OrderWithOffering, orderWithOfferingColumns } from '../order-transition.sql.ts'

export type OperatorOrderRow = OrderDetailRow & OrderWithOffering & Pick<OrderRow, 'paymentReference'>

const columns = sql`
  ${orderSummaryColumns}, ${accountSummaryColumns}, ${offeringSummaryColumns}, ${orderWithOfferingColumns},
  token_order.payment_bank_account as "paymentBankAccount", token_order.created_at as "createdAt",
  token_order.payment_reference as "paymentReference"`

export function findOperatorOrder(
  tx: Transaction,
  { tenantId, orderId }: OrderId,
): Promise<OperatorOrderRow | undefined> {
  return tx.row<OperatorOrderRow>(sql`
    select ${columns} from cell.token_order ${joinAccount} ${joinOffering}
    where token_order.tenant_id = ${tenantId} and token_order.id = ${orderId}`)
}

export interface OrderFilter {
  status?: string | undefined
  offering_id?: string | undefined
  account_id?: string | undefined
  payment_reference?: string | undefined
}

function matching(tenantId: string, filter: OrderFilter): Sql {
  const { status = null, offering_id = null, account_id = null, payment_reference = null } = filter
  return sql`
    token_order.tenant_id = ${tenantId}
    and (${status}::text is null or token_order.status = ${status})
    and (${offering_id}::uuid is null or token_order.offering_id = ${offering_id})
    and (${account_id}::uuid is null or token_order.account_id = ${account_id})
    and (${payment_reference}::text is null or token_order.payment_reference = ${payment_reference})`
}

export async function countOrders(tx: Transaction, tenantId: string, filter: OrderFilter): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.token_order where ${matching(tenantId, filter)}`)
  return found?.count ?? 0
}

export function selectOrders(
  tx: Transaction,
  tenantId: string,
  filter: OrderFilter,
  page: Page,
): Promise<OperatorOrderRow[]> {
  return tx.rows<OperatorOrderRow>(sql`
    select ${columns} from cell.token_order ${joinAccount} ${joinOffering}
    where ${matching(tenantId, filter)} ${filteredCut(sql`token_order.id`, page)}`)
}
