import type { Static } from 'typebox'
import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Payment, paymentSources } from './payment.schema.ts'

/** Rows are named as the contract names them; only the times are dates. */
export type PaymentRow = Omit<Static<typeof Payment>, 'received_at' | 'created_at'> & {
  received_at: Date
  created_at: Date
}

export interface NewPaymentRow {
  tenantId: string
  id: string
  orderId: string
  provider: (typeof paymentSources)[number]
  reference: string
  amount: string
  currency: string
  receivedAt: Date
}

const columns = sql`
  id, order_id, provider, provider_reference, amount::text as amount, currency, received_at, created_at`

/** Undefined where the provider has told of this payment before. */
export function insertPayment(tx: Transaction, payment: NewPaymentRow): Promise<PaymentRow | undefined> {
  return tx.row<PaymentRow>(sql`
    insert into cell.payment (tenant_id, id, order_id, provider, provider_reference, amount, currency, received_at)
    values (${payment.tenantId}, ${payment.id}, ${payment.orderId}, ${payment.provider}, ${payment.reference},
            ${payment.amount}, ${payment.currency}, ${payment.receivedAt})
    on conflict (tenant_id, provider, provider_reference) do nothing
    returning ${columns}`)
}

export function findPaymentByReference(
  tx: Transaction,
  { tenantId, provider, reference }: Pick<NewPaymentRow, 'tenantId' | 'provider' | 'reference'>,
): Promise<PaymentRow | undefined> {
  return tx.row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${reference}`)
}

export async function countPaymentsOfOrder(tx: Transaction, tenantId: string, orderId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.payment where tenant_id = ${tenantId} and order_id = ${orderId}`)
  return found?.count ?? 0
}

export function listPaymentsOfOrder(
  tx: Transaction,
  tenantId: string,
  orderId: string,
  page: Page,
): Promise<PaymentRow[]> {
  return tx.rows<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and order_id = ${orderId} ${filteredCut(sql`id`, page)}`)
}
