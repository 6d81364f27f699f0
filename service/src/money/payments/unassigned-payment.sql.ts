import {
  allOf,
  type CreatedRange,
  countedPage,
  isCreatedWithin,
  isEqual,
} from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import type { Money } from '../../platform/base/money.ts'
import { readMoney } from '../../platform/postgres/read-money.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import {
  type MaybeOrderLabelsRow,
  maybeJoinOrderLabels,
  orderLabelsColumns,
} from '../../sales/order-labels/order-labels.sql.ts'
import type { NewPaymentRow, PaymentRow } from './payment.sql.ts'
import type { unassignedStatuses } from './unassigned-payment.schema.ts'

export interface UnassignedPaymentRow
  extends Omit<PaymentRow, 'orderId' | 'matchedAt' | 'reversedAt' | 'unassignedPaymentId'> {
  status: (typeof unassignedStatuses)[number]
  /** The part of the amount that is neither booked to an order nor being returned to the payer. */
  unassignedAmount: Money
  /** The order that an operator assigned it to. */
  orderId: string | null
  dismissalReason: string | null
  /** Reason why the payment was not booked to the order that it names. */
  note: string | null
  changedAt: Date
  /** Name, IBAN and text of the payer, encrypted. */
  payer: Buffer
}

export interface UnassignedPaymentKey {
  tenantId: string
  paymentId: string
}

/** Identity of a payment, whether it is assigned to an order or not. */
type PaymentIdentity = { tenantId: string } & Pick<PaymentRow, 'provider' | 'providerReference'>

export const unassignedPaymentFingerprint = rowFingerprint(sql`cell.unassigned_payment`)

const columns = sql`
  unassigned_payment.id, unassigned_payment.provider, unassigned_payment.provider_reference as "providerReference",
  unassigned_payment.amount::text as amount, unassigned_payment.currency,
  unassigned_payment.received_at as "receivedAt", unassigned_payment.payer, unassigned_payment.status,
  unassigned_payment.unassigned_amount::text as "unassignedAmount", unassigned_payment.order_id as "orderId",
  unassigned_payment.dismissal_reason as "dismissalReason",
  unassigned_payment.note, unassigned_payment.created_at as "createdAt", unassigned_payment.changed_at as "changedAt"`

const readAmounts = readMoney('amount', 'unassignedAmount')

/**
 * Locks the payment's reference until the transaction ends, so that concurrent reports of the same payment wait. The
 * payment may become a row of one of two tables, so a unique index cannot prevent duplicates.
 */
export async function lockPaymentReference(
  tx: Transaction,
  { tenantId, provider, providerReference }: PaymentIdentity,
): Promise<void> {
  const lockKey = `${tenantId} ${provider} ${providerReference}`
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${lockKey}, 0))`)
}

/** Finds the row of a payment that was reported before. orderId is null if it is not assigned to an order. */
export function findBookedPayment(tx: Transaction, { tenantId, provider, providerReference }: PaymentIdentity) {
  return tx.row<{ id: string; orderId: string | null }>(sql`
    select id, "orderId" from (
      select id, order_id as "orderId" from cell.payment
      where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${providerReference}
      union all
      select id, order_id as "orderId" from cell.unassigned_payment
      where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${providerReference}
    ) booked
    limit 1`)
}

/** Selects the orders with one of these payment references: at most two, enough to see that the match is ambiguous. */
export function selectOrdersByReference(tx: Transaction, tenantId: string, references: readonly string[]) {
  return tx.rows<{ id: string; currency: string }>(sql`
    select id, currency from cell.token_order
    where tenant_id = ${tenantId} and payment_reference = any (${references}::text[])
    order by id limit 2`)
}

/** Stores a payment that matches no order, and informs operators. */
export async function insertUnassignedPayment(
  tx: Transaction,
  payment: Omit<NewPaymentRow, 'orderId' | 'payer'> & { payer: Buffer; note: string | null },
): Promise<void> {
  const { tenantId, id, provider, amount } = payment
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      insert into cell.unassigned_payment (tenant_id, id, provider, provider_reference, amount, currency, received_at,
                                           payer, note, unassigned_amount)
      values (${tenantId}, ${id}, ${provider}, ${payment.providerReference}, ${amount}, ${amount.currency},
              ${payment.receivedAt}, ${payment.payer}, ${payment.note}, ${amount})`),
    (tx) =>
      recordEvent(tx, tenantId, {
        type: 'unassigned_payment.opened',
        data: { unassigned_payment_id: id, provider, amount: amount.toString(), currency: amount.currency },
      }),
  )
}

export function findUnassignedPayment(
  tx: Transaction,
  { tenantId, paymentId }: UnassignedPaymentKey,
): Promise<UnassignedPaymentRow | undefined> {
  return tx
    .row<UnassignedPaymentRow>(sql`
    select ${columns} from cell.unassigned_payment where tenant_id = ${tenantId} and id = ${paymentId}`)
    .then(readAmounts)
}

export function lockUnassignedPayment(
  tx: Transaction,
  { tenantId, paymentId }: UnassignedPaymentKey,
): Promise<UnassignedPaymentRow | undefined> {
  return tx
    .row<UnassignedPaymentRow>(sql`
    select ${columns} from cell.unassigned_payment where tenant_id = ${tenantId} and id = ${paymentId} for update`)
    .then(readAmounts)
}

/** An operator's decision, and the amount that is unassigned afterwards. */
export interface UnassignedPaymentChange {
  status: UnassignedPaymentRow['status']
  unassignedAmount: Money
  orderId?: string
  dismissalReason?: string
}

/** Stores an operator's decision on an open payment whose row the caller has locked, and informs other operators. */
export async function decideUnassignedPayment(
  tx: Transaction,
  { tenantId, paymentId }: UnassignedPaymentKey,
  { status, unassignedAmount, orderId, dismissalReason }: UnassignedPaymentChange,
): Promise<UnassignedPaymentRow> {
  const [decided] = await tx.batch(
    (tx) =>
      tx
        .row<UnassignedPaymentRow>(sql`
      update cell.unassigned_payment
      set status = ${status}, unassigned_amount = ${unassignedAmount}, order_id = ${orderId ?? null},
          dismissal_reason = ${dismissalReason ?? null}, changed_at = clock_timestamp()
      where tenant_id = ${tenantId} and id = ${paymentId} and status = 'open'
      returning ${columns}`)
        .then(readAmounts),
    (tx) =>
      recordEvent(tx, tenantId, {
        // A part was assigned, and the rest still waits.
        type: status === 'open' ? 'unassigned_payment.split' : `unassigned_payment.${status}`,
        data: { unassigned_payment_id: paymentId, status, order_id: orderId ?? null },
      }),
  )
  if (!decided) throw new Error('an unassigned payment changed although its row was locked')
  return decided
}

/** Adds money detached from an order. The payment becomes open again, whatever was decided about the rest. */
export async function reopenUnassignedPayment(
  tx: Transaction,
  { tenantId, paymentId }: UnassignedPaymentKey,
  { amount, note }: { amount: Money; note: string },
): Promise<void> {
  const reopened = await tx.row(sql`
    update cell.unassigned_payment
    set status = 'open', unassigned_amount = unassigned_amount + ${amount}::numeric, order_id = null,
        dismissal_reason = null, note = ${note}, changed_at = clock_timestamp()
    where tenant_id = ${tenantId} and id = ${paymentId}
    returning id`)
  if (!reopened) throw new Error('the unassigned payment of a payment does not exist')
}

/** Returns true if the money of one of these bank credits is or was an unassigned payment. */
export async function isUnassignedCredit(
  tx: Transaction,
  tenantId: string,
  references: readonly string[],
): Promise<boolean> {
  const found = await tx.row<{ isFound: boolean }>(sql`
    select exists (select from cell.unassigned_payment
                   where tenant_id = ${tenantId} and provider = 'bank_transfer'
                     and provider_reference = any (${references}::text[])) as "isFound"`)
  return found?.isFound === true
}

/** Result of a decision about an unassigned payment: a payment of an order, or a refund to the payer. */
export interface PaymentPartRow {
  orderId: string | null
  paymentId: string | null
  refundId: string | null
  amount: string
  isReversed: boolean
}

export function selectPartsOfPayment(tx: Transaction, { tenantId, paymentId }: UnassignedPaymentKey) {
  return tx.rows<PaymentPartRow>(sql`
    select order_id as "orderId", id as "paymentId", null::uuid as "refundId", amount::text as amount,
           reversed_at is not null as "isReversed"
    from cell.payment where tenant_id = ${tenantId} and unassigned_payment_id = ${paymentId}
    union all
    select null, null, id, amount::text, false
    from cell.refund where tenant_id = ${tenantId} and unassigned_payment_id = ${paymentId}
    limit 1000`)
}

export interface UnassignedPaymentFilter extends CreatedRange {
  status?: readonly string[] | undefined
  currency?: string | undefined
}

/** A row with the labels of the order that it is assigned to, if any. */
export type ListedUnassignedRow = UnassignedPaymentRow & MaybeOrderLabelsRow

export function pageOfUnassigned(tx: Transaction, tenantId: string, filter: UnassignedPaymentFilter, page: KeysetPage) {
  return countedPage<ListedUnassignedRow>(tx, page, {
    columns: sql`${columns}, ${orderLabelsColumns}`,
    from: sql`cell.unassigned_payment`,
    joins: maybeJoinOrderLabels(sql`unassigned_payment`),
    where: allOf([
      sql`unassigned_payment.tenant_id = ${tenantId}`,
      isEqual(sql`unassigned_payment.currency`, filter.currency),
      isCreatedWithin(sql`unassigned_payment.id`, sql`unassigned_payment.created_at`, filter),
    ]),
    id: sql`unassigned_payment.id`,
    filter: { column: sql`unassigned_payment.status`, values: filter.status },
    read: readAmounts,
  })
}
