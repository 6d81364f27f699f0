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
  /** Of a payment recorded by hand: when a bank or a provider reported an amount that is probably the same money. */
  matchedAt: Date | null
  /** When the bank took the money back. */
  reversedAt: Date | null
}

export type NewPaymentRow = Omit<PaymentRow, 'createdAt' | 'matchedAt' | 'reversedAt'> & { tenantId: string }

const columns = sql`
  id, order_id as "orderId", provider, provider_reference as "providerReference", amount::text as amount, currency,
  received_at as "receivedAt", created_at as "createdAt", matched_at as "matchedAt", reversed_at as "reversedAt"`

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

/** What two reports of the same money have in common. */
export type SameMoney = Pick<NewPaymentRow, 'tenantId' | 'orderId' | 'amount' | 'currency'>

/** A payment recorded by hand that no report of a bank or a provider was compared with yet, the oldest first. */
export function findUnmatchedManualPayment(
  tx: Transaction,
  { tenantId, orderId, amount, currency }: SameMoney,
): Promise<PaymentRow | undefined> {
  return tx.row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and order_id = ${orderId} and amount = ${amount}::numeric and currency = ${currency}
      and provider = 'manual' and matched_at is null and reversed_at is null
    order by id limit 1`)
}

/** A payment that a bank or a provider reported. */
export function findReportedPayment(
  tx: Transaction,
  { tenantId, orderId, amount, currency }: SameMoney,
): Promise<PaymentRow | undefined> {
  return tx.row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and order_id = ${orderId} and amount = ${amount}::numeric and currency = ${currency}
      and provider <> 'manual' and reversed_at is null
    order by id limit 1`)
}

/** The payments of a bank transfer that have one of these references and are not reversed. */
export function selectBankPayments(
  tx: Transaction,
  tenantId: string,
  references: readonly string[],
): Promise<PaymentRow[]> {
  return tx.rows<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and provider = 'bank_transfer' and provider_reference = any (${references}::text[])
      and reversed_at is null
    order by id limit 1000`)
}

/** The payment of an order that a bank can have reversed, the newest first: by bank transfer, or recorded by hand. */
export function findReversiblePayment(
  tx: Transaction,
  { tenantId, orderId, amount, currency }: SameMoney,
): Promise<PaymentRow | undefined> {
  return tx.row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and order_id = ${orderId} and amount = ${amount}::numeric and currency = ${currency}
      and provider in ('bank_transfer', 'manual') and reversed_at is null
    order by provider = 'bank_transfer' desc, id desc limit 1`)
}

/** The caller has locked the order. */
export async function setPaymentMatched(tx: Transaction, tenantId: string, paymentId: string): Promise<void> {
  await tx.rows(sql`
    update cell.payment set matched_at = clock_timestamp() where tenant_id = ${tenantId} and id = ${paymentId}`)
}

/** Returns false if the payment is already reversed. The caller has locked the order. */
export async function setPaymentReversed(
  tx: Transaction,
  { tenantId, paymentId, now }: { tenantId: string; paymentId: string; now: Date },
): Promise<boolean> {
  const reversed = await tx.row(sql`
    update cell.payment set reversed_at = ${now}
    where tenant_id = ${tenantId} and id = ${paymentId} and reversed_at is null
    returning id`)
  return reversed !== undefined
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
