import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { rowVersion } from '../../platform/api/declare/row-version.sql.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { joinOrderNames, type OrderNamesRow, orderNamesColumns } from '../../sales/orders/order-names.sql.ts'
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
  /** Of a payment recorded by hand: the approval of the second person who confirmed it. */
  approvalId: string | null
  /** Of a payment recorded by hand: when a bank or a provider reported an amount that is probably the same money. */
  matchedAt: Date | null
  /** When the bank took the money back, or an operator took it off the order. */
  reversedAt: Date | null
  /** The unassigned payment that it was assigned from, or became when it was reversed. */
  unassignedPaymentId: string | null
}

type LaterMember = 'createdAt' | 'approvalId' | 'matchedAt' | 'reversedAt' | 'unassignedPaymentId'

export interface NewPaymentRow extends Omit<PaymentRow, LaterMember> {
  tenantId: string
  approvalId?: string | undefined
  unassignedPaymentId?: string | undefined
  /** Sealed; null if the payer's IBAN is not known. */
  payer: Buffer | null
}

const columns = sql`
  payment.id, payment.order_id as "orderId", payment.provider, payment.provider_reference as "providerReference",
  payment.amount::text as amount, payment.currency, payment.received_at as "receivedAt",
  payment.created_at as "createdAt", payment.approval_id as "approvalId", payment.matched_at as "matchedAt",
  payment.reversed_at as "reversedAt", payment.unassigned_payment_id as "unassignedPaymentId"`

export const paymentVersion = rowVersion(sql`cell.payment`)

/** Returns undefined if a payment with this provider and reference exists already. */
export function insertPayment(tx: Transaction, payment: NewPaymentRow): Promise<PaymentRow | undefined> {
  return tx.row<PaymentRow>(sql`
    insert into cell.payment (tenant_id, id, order_id, provider, provider_reference, amount, currency, received_at,
                              payer, approval_id, unassigned_payment_id)
    values (${payment.tenantId}, ${payment.id}, ${payment.orderId}, ${payment.provider}, ${payment.providerReference},
            ${payment.amount}, ${payment.currency}, ${payment.receivedAt}, ${payment.payer},
            ${payment.approvalId ?? null}, ${payment.unassignedPaymentId ?? null})
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

/**
 * The payments of a bank transfer that have one of these references and are not reversed, also if an operator assigned
 * them to another order or split them.
 */
export function selectBankPayments(
  tx: Transaction,
  tenantId: string,
  references: readonly string[],
): Promise<PaymentRow[]> {
  return tx.rows<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and provider = 'bank_transfer' and reversed_at is null
      and (provider_reference = any (${references}::text[]) or unassigned_payment_id in (
        select unassigned_payment.id from cell.unassigned_payment
        where unassigned_payment.tenant_id = ${tenantId} and unassigned_payment.provider = 'bank_transfer'
          and unassigned_payment.provider_reference = any (${references}::text[])))
    order by id limit 1000`)
}

/** The order of a payment, and the payer as stored. */
export function findPayment(
  tx: Transaction,
  tenantId: string,
  paymentId: string,
): Promise<(PaymentRow & { payer: Buffer | null }) | undefined> {
  return tx.row(sql`select ${columns}, payer from cell.payment where tenant_id = ${tenantId} and id = ${paymentId}`)
}

/** How many payments an unassigned payment has become so far, those that were reversed included. */
export async function countPaymentsOfUnassigned(tx: Transaction, tenantId: string, id: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.payment where tenant_id = ${tenantId} and unassigned_payment_id = ${id}`)
  return found?.count ?? 0
}

/** The caller has locked the order. */
export async function setPaymentUnassigned(
  tx: Transaction,
  { tenantId, paymentId, unassignedPaymentId }: { tenantId: string; paymentId: string; unassignedPaymentId: string },
): Promise<void> {
  await tx.rows(sql`
    update cell.payment set unassigned_payment_id = ${unassignedPaymentId}
    where tenant_id = ${tenantId} and id = ${paymentId}`)
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

export function countPaymentsOfOrder(tx: Transaction, tenantId: string, orderId: string): Promise<number> {
  return boundedCount(tx, sql`from cell.payment where tenant_id = ${tenantId} and order_id = ${orderId}`)
}

export type ListedPaymentRow = PaymentRow & OrderNamesRow & KeysetRow

export function selectPaymentsOfOrder(
  tx: Transaction,
  tenantId: string,
  orderId: string,
  page: KeysetPage,
): Promise<ListedPaymentRow[]> {
  const cut = keysetCut(sql`payment.id`, page)
  return tx.rows<ListedPaymentRow>(sql`
    select ${columns}, ${orderNamesColumns}, ${cut.column} from cell.payment ${joinOrderNames(sql`payment`)}
    where payment.tenant_id = ${tenantId} and payment.order_id = ${orderId} and ${cut.where} ${cut.orderBy}`)
}
