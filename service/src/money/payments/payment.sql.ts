import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { paymentSources } from './payment.schema.ts'

/** A row of cell.payment. */
export interface PaymentRow {
  id: string
  orderId: string
  provider: (typeof paymentSources)[number]
  providerReference: string
  amount: string
  currency: string
  receivedAt: Date
  createdAt: Date
}

export type NewPaymentRow = Omit<PaymentRow, 'createdAt'> & { tenantId: string }

const columns = sql`
  id, order_id as "orderId", provider, provider_reference as "providerReference", amount::text as amount, currency,
  received_at as "receivedAt", created_at as "createdAt"`

/** Returns undefined if a payment with this provider and reference exists already. */
export function insertPayment(tx: Transaction, payment: NewPaymentRow): Promise<PaymentRow | undefined> {
  return tx.row<PaymentRow>(sql`
    insert into cell.payment (tenant_id, id, order_id, provider, provider_reference, amount, currency, received_at)
    values (${payment.tenantId}, ${payment.id}, ${payment.orderId}, ${payment.provider}, ${payment.providerReference},
            ${payment.amount}, ${payment.currency}, ${payment.receivedAt})
    on conflict (tenant_id, provider, provider_reference) do nothing
    returning ${columns}`)
}

export function findPaymentByReference(
  tx: Transaction,
  { tenantId, provider, providerReference }: Pick<NewPaymentRow, 'tenantId' | 'provider' | 'providerReference'>,
): Promise<PaymentRow | undefined> {
  return tx.row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${providerReference}`)
}

export async function countPaymentsOfOrder(tx: Transaction, tenantId: string, orderId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.payment where tenant_id = ${tenantId} and order_id = ${orderId}`)
  return found?.count ?? 0
}

export function selectPaymentsOfOrder(
  tx: Transaction,
  tenantId: string,
  orderId: string,
  page: Page,
): Promise<PaymentRow[]> {
  return tx.rows<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and order_id = ${orderId} ${filteredCut(sql`id`, page)}`)
}
