import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import type { Money } from '../../platform/base/money.ts'
import { readMoney } from '../../platform/postgres/read-money.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { joinOrderLabels, type OrderLabelsRow, orderLabelsColumns } from '../../sales/order-labels/order-labels.sql.ts'
import type { paymentSources } from './payment.schema.ts'

export interface PaymentRow {
  id: string
  orderId: string
  provider: (typeof paymentSources)[number]
  providerReference: string
  amount: Money
  currency: string
  receivedAt: Date
  createdAt: Date
  /** Approval of the second person who confirmed a payment recorded by hand. */
  approvalId: string | null
  /** Time at which a bank or a provider reported an amount that is probably the same money as this payment by hand. */
  matchedAt: Date | null
  /** Time at which the bank took the money back or an operator reversed the payment. */
  reversedAt: Date | null
  /** The unassigned payment that it was assigned from, or became when it was reversed. */
  unassignedPaymentId: string | null
}

type LaterMember = 'currency' | 'createdAt' | 'approvalId' | 'matchedAt' | 'reversedAt' | 'unassignedPaymentId'

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

const readAmount = readMoney('amount')

export const paymentFingerprint = rowFingerprint(sql`cell.payment`)

/** Returns undefined if a payment with this provider and reference exists already. */
export function insertPayment(tx: Transaction, payment: NewPaymentRow): Promise<PaymentRow | undefined> {
  return tx
    .row<PaymentRow>(sql`
    insert into cell.payment (tenant_id, id, order_id, provider, provider_reference, amount, currency, received_at,
                              payer, approval_id, unassigned_payment_id)
    values (${payment.tenantId}, ${payment.id}, ${payment.orderId}, ${payment.provider}, ${payment.providerReference},
            ${payment.amount}, ${payment.amount.currency}, ${payment.receivedAt}, ${payment.payer},
            ${payment.approvalId ?? null}, ${payment.unassignedPaymentId ?? null})
    on conflict (tenant_id, provider, provider_reference) do nothing
    returning ${columns}`)
    .then(readAmount)
}

export function findPaymentByReference(
  tx: Transaction,
  { tenantId, provider, providerReference }: Pick<NewPaymentRow, 'tenantId' | 'provider' | 'providerReference'>,
): Promise<PaymentRow | undefined> {
  return tx
    .row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${providerReference}`)
    .then(readAmount)
}

/** Fields that are equal in two reports of the same payment. */
export type SameMoney = Pick<NewPaymentRow, 'tenantId' | 'orderId' | 'amount'>

function isSameMoney({ tenantId, orderId, amount }: SameMoney): Sql {
  return sql`
    tenant_id = ${tenantId} and order_id = ${orderId} and amount = ${amount}::numeric and currency = ${amount.currency}`
}

/** Finds the oldest payment recorded by hand that no report of a bank or a provider was matched with yet. */
export function findUnmatchedManualPayment(tx: Transaction, money: SameMoney): Promise<PaymentRow | undefined> {
  return tx
    .row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where ${isSameMoney(money)}
      and provider = 'manual' and matched_at is null and reversed_at is null
    order by id limit 1`)
    .then(readAmount)
}

export function findReportedPayment(tx: Transaction, money: SameMoney): Promise<PaymentRow | undefined> {
  return tx
    .row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where ${isSameMoney(money)}
      and provider <> 'manual' and reversed_at is null
    order by id limit 1`)
    .then(readAmount)
}

/**
 * Selects the payments by bank transfer with one of these references that are not reversed, even if an operator
 * assigned them to another order or split them.
 */
export function selectBankPayments(
  tx: Transaction,
  tenantId: string,
  references: readonly string[],
): Promise<PaymentRow[]> {
  return tx
    .rows<PaymentRow>(sql`
    select ${columns} from cell.payment
    where tenant_id = ${tenantId} and provider = 'bank_transfer' and reversed_at is null
      and (provider_reference = any (${references}::text[]) or unassigned_payment_id in (
        select unassigned_payment.id from cell.unassigned_payment
        where unassigned_payment.tenant_id = ${tenantId} and unassigned_payment.provider = 'bank_transfer'
          and unassigned_payment.provider_reference = any (${references}::text[])))
    order by id limit 1000`)
    .then(readAmount)
}

/** Finds a payment with its payer as stored. */
export function findPayment(
  tx: Transaction,
  tenantId: string,
  paymentId: string,
): Promise<(PaymentRow & { payer: Buffer | null }) | undefined> {
  const found = tx.row<PaymentRow & { payer: Buffer | null }>(sql`
    select ${columns}, payer from cell.payment where tenant_id = ${tenantId} and id = ${paymentId}`)
  return found.then(readAmount)
}

/** Counts the payments that an unassigned payment has become so far, including reversed ones. */
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

/**
 * Finds the payment of an order that a bank reversal most likely means: the newest bank transfer, or else the newest
 * payment recorded by hand.
 */
export function findReversiblePayment(tx: Transaction, money: SameMoney): Promise<PaymentRow | undefined> {
  return tx
    .row<PaymentRow>(sql`
    select ${columns} from cell.payment
    where ${isSameMoney(money)}
      and provider in ('bank_transfer', 'manual') and reversed_at is null
    order by provider = 'bank_transfer' desc, id desc limit 1`)
    .then(readAmount)
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

export type ListedPaymentRow = PaymentRow & OrderLabelsRow

export function pageOfPayments(tx: Transaction, tenantId: string, orderId: string, page: KeysetPage) {
  return countedPage<ListedPaymentRow>(tx, page, {
    columns: sql`${columns}, ${orderLabelsColumns}`,
    from: sql`cell.payment`,
    joins: joinOrderLabels(sql`payment`),
    where: sql`payment.tenant_id = ${tenantId} and payment.order_id = ${orderId}`,
    id: sql`payment.id`,
    read: readAmount,
  })
}
