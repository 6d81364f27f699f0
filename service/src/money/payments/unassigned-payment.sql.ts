import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewPaymentRow, PaymentRow } from './payment.sql.ts'
import type { unassignedStatuses } from './unassigned-payment.schema.ts'

/** A row of cell.unassigned_payment. */
export interface UnassignedPaymentRow extends Omit<PaymentRow, 'orderId' | 'matchedAt' | 'reversedAt'> {
  status: (typeof unassignedStatuses)[number]
  /** The order that an operator assigned it to. */
  orderId: string | null
  dismissalReason: string | null
  /** Why the payment was not booked to the order that it names. */
  note: string | null
  changedAt: Date
  /** Name, IBAN and text of the payer, encrypted. */
  payer: Buffer
}

export interface UnassignedPaymentKey {
  tenantId: string
  paymentId: string
}

/** What identifies a payment, whether it is assigned to an order or not. */
type PaymentIdentity = { tenantId: string } & Pick<PaymentRow, 'provider' | 'providerReference'>

const columns = sql`
  id, provider, provider_reference as "providerReference", amount::text as amount, currency,
  received_at as "receivedAt", payer, status, order_id as "orderId", dismissal_reason as "dismissalReason", note,
  created_at as "createdAt", changed_at as "changedAt"`

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
export function findBookedPayment(
  tx: Transaction,
  { tenantId, provider, providerReference }: PaymentIdentity,
): Promise<{ id: string; orderId: string | null } | undefined> {
  return tx.row(sql`
    select id, "orderId" from (
      select id, order_id as "orderId" from cell.payment
      where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${providerReference}
      union all
      select id, order_id as "orderId" from cell.unassigned_payment
      where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${providerReference}
    ) booked
    limit 1`)
}

/** The orders with one of these payment references. At most two, which is enough to see that the match is ambiguous. */
export function selectOrdersByReference(
  tx: Transaction,
  tenantId: string,
  references: readonly string[],
): Promise<{ id: string; currency: string }[]> {
  return tx.rows(sql`
    select id, currency from cell.token_order
    where tenant_id = ${tenantId} and payment_reference = any (${references}::text[])
    order by id limit 2`)
}

export async function insertUnassignedPayment(
  tx: Transaction,
  payment: Omit<NewPaymentRow, 'orderId'> & { payer: Buffer; note: string | null },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.unassigned_payment (tenant_id, id, provider, provider_reference, amount, currency, received_at,
                                         payer, note)
    values (${payment.tenantId}, ${payment.id}, ${payment.provider}, ${payment.providerReference}, ${payment.amount},
            ${payment.currency}, ${payment.receivedAt}, ${payment.payer}, ${payment.note})`)
}

/** Locks the unassigned payment until the transaction ends. */
export function lockUnassignedPayment(
  tx: Transaction,
  { tenantId, paymentId }: UnassignedPaymentKey,
): Promise<UnassignedPaymentRow | undefined> {
  return tx.row<UnassignedPaymentRow>(sql`
    select ${columns} from cell.unassigned_payment where tenant_id = ${tenantId} and id = ${paymentId} for update`)
}

/** Stores an operator's decision on an open payment whose row the caller has locked. */
export async function decideUnassignedPayment(
  tx: Transaction,
  { tenantId, paymentId }: UnassignedPaymentKey,
  decision: { status: 'assigned'; orderId: string } | { status: 'dismissed'; reason: string },
): Promise<UnassignedPaymentRow> {
  const orderId = decision.status === 'assigned' ? decision.orderId : null
  const reason = decision.status === 'dismissed' ? decision.reason : null
  const decided = await tx.row<UnassignedPaymentRow>(sql`
    update cell.unassigned_payment
    set status = ${decision.status}, order_id = ${orderId}, dismissal_reason = ${reason}, changed_at = clock_timestamp()
    where tenant_id = ${tenantId} and id = ${paymentId} and status = 'open'
    returning ${columns}`)
  if (!decided) throw new Error('an unassigned payment changed although its row was locked')
  return decided
}

export interface UnassignedPaymentFilter {
  status?: (typeof unassignedStatuses)[number] | undefined
}

function matching(tenantId: string, { status }: UnassignedPaymentFilter) {
  return sql`tenant_id = ${tenantId} and (${status ?? null}::text is null or status = ${status ?? null})`
}

export async function countUnassignedPayments(
  tx: Transaction,
  tenantId: string,
  filter: UnassignedPaymentFilter,
): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.unassigned_payment where ${matching(tenantId, filter)}`)
  return found?.count ?? 0
}

export function selectUnassignedPayments(
  tx: Transaction,
  tenantId: string,
  filter: UnassignedPaymentFilter,
  page: Page,
): Promise<UnassignedPaymentRow[]> {
  return tx.rows<UnassignedPaymentRow>(sql`
    select ${columns} from cell.unassigned_payment where ${matching(tenantId, filter)} ${filteredCut(sql`id`, page)}`)
}

export interface CandidateRow {
  /** Position of the amount in the `amounts` argument, counted from 1. */
  position: number
  orderId: string
  paymentReference: string
  accountName: string
}

/** The newest orders that lack exactly one of these amounts. Finds all of them in one scan of the ORDERED orders. */
export function selectOrdersByMissingAmount(
  tx: Transaction,
  tenantId: string,
  amounts: readonly { amount: string; currency: string }[],
): Promise<CandidateRow[]> {
  return tx.rows<CandidateRow>(sql`
    select position::int as position, "orderId", "paymentReference", "accountName" from (
      select wanted.position, token_order.id as "orderId", token_order.payment_reference as "paymentReference",
             account.full_name as "accountName",
             row_number() over (partition by wanted.position order by token_order.id desc) as newness
      from cell.token_order
      join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
      join unnest(${amounts.map(({ amount }) => amount)}::numeric[], ${amounts.map(({ currency }) => currency)}::text[])
        with ordinality as wanted (amount, currency, position)
        on wanted.currency = token_order.currency
          and wanted.amount = token_order.total_amount - token_order.paid_amount
      where token_order.tenant_id = ${tenantId} and token_order.status = 'ORDERED'
    ) candidate
    where newness <= ${candidatesMax}::bigint`)
}

// Per amount. Name similarity ranks these; among more orders of the same amount, the newest are the most likely.
const candidatesMax = 100
