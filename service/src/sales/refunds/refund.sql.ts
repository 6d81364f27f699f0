import {
  allOf,
  type CreatedRange,
  countedPage,
  isCreatedWithin,
  isEqual,
} from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Money } from '../../platform/base/money.ts'
import { readMoney } from '../../platform/postgres/read-money.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { indexTerms, replaceTerms, type SubjectTerms } from '../../records/search/search-term.sql.ts'
import { wholeTerm } from '../../records/search/search-terms.ts'
import { type MaybeOrderLabelsRow, maybeJoinOrderLabels, orderLabelsColumns } from '../order-labels/order-labels.sql.ts'
import { mayBePaid } from './may-be-paid.sql.ts'
import type { refundReasons } from './refund.schema.ts'
import { type RefundReporter, type RefundStatus, refundEvent } from './refund-status.ts'
import { refundSums } from './refund-sums.ts'
import { recordSettledPayout } from './settled-payout.sql.ts'
import { type WhereMoneyIs, whereMoneyIs } from './where-money-is.ts'

export type RefundReason = (typeof refundReasons)[number]

export interface RefundKey {
  tenantId: string
  refundId: string
}

/** A row of cell.refund. */
export interface RefundRow extends WhereMoneyIs {
  id: string
  /** Null if an unassigned payment goes back to its payer. */
  orderId: string | null
  /** The payment that is paid back; null if the refund is of the order as a whole. */
  paymentId: string | null
  unassignedPaymentId: string | null
  reason: RefundReason
  amount: Money
  currency: string
  status: RefundStatus
  reference: string | null
  failure: string | null
  createdAt: Date
  changedAt: Date
  /** The version of the account's bank data that a second person approved for this refund. */
  approvedBankAccountVersion: number | null
  accountApprovedAt: Date | null
}

export const refundColumns: Sql = sql`
  refund.id, refund.order_id as "orderId", refund.payment_id as "paymentId",
  refund.unassigned_payment_id as "unassignedPaymentId", refund.reason,
  refund.amount::text as amount, refund.currency, refund.status, refund.reference, refund.failure,
  refund.created_at as "createdAt", refund.changed_at as "changedAt",
  refund.approved_bank_account_version as "approvedBankAccountVersion",
  refund.account_approved_at as "accountApprovedAt", refund.sent_at as "sentAt",
  refund.returned_at as "returnedAt", ${mayBePaid} as "mayBePaid"`

const readRefundAmount = readMoney('amount')

/** Creates a refund that is due and records its event. */
export async function insertRefund(
  tx: Transaction,
  tenantId: string,
  refund: Pick<RefundRow, 'reason' | 'amount'> & { orderId: string; paymentId?: string | null },
): Promise<void> {
  const id = newRowId()
  const { paymentId = null } = refund
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      insert into cell.refund (tenant_id, id, order_id, payment_id, reason, amount, currency)
      values (${tenantId}, ${id}, ${refund.orderId}, ${paymentId}, ${refund.reason}, ${refund.amount},
              ${refund.amount.currency})`),
    (tx) => indexTerms(tx, tenantId, [refundTerms({ id, reference: null })]),
    (tx) =>
      recordEvent(tx, tenantId, {
        type: 'refund.due',
        data: eventData({ ...refund, id, status: 'due' }, null),
        sums: refundSums({ tenantId, ...refund }, null, 'due'),
      }),
  )
}

/**
 * Creates a refund that returns an unassigned payment to its payer. It has no event: events are for integrators, and
 * the money was never for one of their orders.
 */
export async function insertReturn(
  tx: Transaction,
  tenantId: string,
  refund: Pick<RefundRow, 'id' | 'amount'> & { unassignedPaymentId: string; collectionAccount: object },
): Promise<void> {
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      insert into cell.refund (tenant_id, id, unassigned_payment_id, collection_account, reason, amount, currency)
      values (${tenantId}, ${refund.id}, ${refund.unassignedPaymentId}, ${JSON.stringify(refund.collectionAccount)},
              'not_assigned', ${refund.amount}, ${refund.amount.currency})`),
    (tx) => indexTerms(tx, tenantId, [refundTerms({ id: refund.id, reference: null })]),
  )
}

/** The id without hyphens is the end-to-end id of the transfer to the bank. */
export function refundTerms({ id, reference }: Pick<RefundRow, 'id' | 'reference'>): SubjectTerms {
  const terms = [...wholeTerm(id.replaceAll('-', '')), ...wholeTerm(reference ?? '')]
  return { kind: 'refund', subjectId: id, terms: [...new Set(terms)] }
}

export function findRefund(tx: Transaction, { tenantId, refundId }: RefundKey): Promise<RefundRow | undefined> {
  return tx
    .row<RefundRow>(sql`
    select ${refundColumns} from cell.refund where tenant_id = ${tenantId} and id = ${refundId}`)
    .then(readRefundAmount)
}

/** Locks the refund until the transaction ends. */
export function lockRefund(tx: Transaction, { tenantId, refundId }: RefundKey): Promise<RefundRow | undefined> {
  return tx
    .row<RefundRow>(sql`
    select ${refundColumns} from cell.refund where tenant_id = ${tenantId} and id = ${refundId} for update`)
    .then(readRefundAmount)
}

/** Locks the account of the refund's investor until the transaction ends, so that its bank data cannot change. */
export function lockRefundAccount(tx: Transaction, { tenantId, refundId }: RefundKey) {
  return tx.row<{ accountId: string; bankAccountVersion: number }>(sql`
    select account.id as "accountId", account.bank_account_version as "bankAccountVersion"
    from cell.refund
    join cell.token_order on token_order.tenant_id = refund.tenant_id and token_order.id = refund.order_id
    join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
    where refund.tenant_id = ${tenantId} and refund.id = ${refundId}
    for no key update of account`)
}

/** Locks a refund and its account. The fingerprint changes with the refund and with the bank data of its investor. */
export async function refundAccountFingerprint(
  { tenantId, id }: { tenantId: string; id: string },
  tx: Transaction,
): Promise<string> {
  const account = await lockRefundAccount(tx, { tenantId, refundId: id })
  return `${await refundFingerprint({ tenantId, id }, tx)} ${account?.bankAccountVersion ?? ''}`
}

export const refundFingerprint = rowFingerprint(sql`cell.refund`)

/** Stores which version of the bank data was approved. The caller has locked the refund and the account. */
export async function setAccountApproved(
  tx: Transaction,
  { tenantId, refundId }: RefundKey,
  { bankAccountVersion, now }: { bankAccountVersion: number; now: Date },
): Promise<RefundRow> {
  const approved = await tx
    .row<RefundRow>(sql`
    update cell.refund set approved_bank_account_version = ${bankAccountVersion}, account_approved_at = ${now}
    where tenant_id = ${tenantId} and id = ${refundId} and status in ('due', 'failed')
    returning ${refundColumns}`)
    .then(readRefundAmount)
  if (!approved) throw new Error('a refund changed although its row was locked')
  return approved
}

/**
 * Locks an order's due refunds whose money has not left, until the transaction ends. One that was sent is among them
 * only if a bank entry says that it came back: otherwise the same money could pay both the order and the payee.
 */
export function lockWithdrawableRefunds(tx: Transaction, tenantId: string, orderId: string): Promise<RefundRow[]> {
  return tx
    .rows<RefundRow>(sql`
    select ${refundColumns} from cell.refund
    where refund.tenant_id = ${tenantId} and refund.order_id = ${orderId} and refund.status = 'due'
      and not ${mayBePaid}
    order by refund.id for update`)
    .then(readRefundAmount)
}

interface RefundChange {
  to: RefundStatus
  now: Date
  reference?: string
  failure?: string
  /** Source of the report. A bank can make transitions that an operator cannot. */
  by?: RefundReporter
}

/** Moves a refund, whose row the caller has locked, to another status and records the event. Returns the new row. */
export async function moveRefund(
  tx: Transaction,
  tenantId: string,
  refund: RefundRow,
  { to, now, reference, failure, by = 'operator' }: RefundChange,
): Promise<RefundRow> {
  const type = refundEvent(refund.status, to, by)
  if (!type || (to === 'withdrawn' && refund.mayBePaid))
    throw new Error(`a refund that is ${refund.status} cannot become ${to}`)
  const moved: RefundRow = {
    ...refund,
    status: to,
    reference: to === 'due' ? null : (reference ?? refund.reference),
    failure: to === 'failed' ? (failure ?? null) : null,
    changedAt: now,
    ...whereMoneyIs(refund, { to, now, by }),
  }
  const [changed] = await tx.batch(
    (tx) =>
      tx.row(sql`
      update cell.refund
      set status = ${to}, reference = ${moved.reference}, failure = ${moved.failure}, changed_at = ${now},
          sent_at = ${moved.sentAt}, returned_at = ${moved.returnedAt}
      where tenant_id = ${tenantId} and id = ${refund.id} and status = ${refund.status}
      returning id`),
    (tx) => moved.reference !== refund.reference && replaceTerms(tx, tenantId, refundTerms(moved)),
    (tx) =>
      refund.orderId !== null &&
      recordEvent(tx, tenantId, {
        type,
        data: eventData(moved, refund.status),
        sums: refundSums({ ...refund, tenantId, orderId: refund.orderId }, refund.status, to),
      }),
  )
  if (!changed) throw new Error('a refund changed although its row was locked')
  if (refund.status === 'sent') await recordSettledPayout(tx, { tenantId, refundId: refund.id })
  return moved
}

/** Records the return of a transfer that an operator had reported as failed. The caller has locked the refund. */
export async function setRefundReturned(tx: Transaction, { tenantId, refundId }: RefundKey, now: Date): Promise<void> {
  await tx.rows(sql`
    update cell.refund set returned_at = ${now}
    where tenant_id = ${tenantId} and id = ${refundId} and status in ('due', 'failed')`)
}

function eventData(
  refund: Pick<RefundRow, 'id' | 'orderId' | 'reason' | 'amount' | 'status'>,
  previousStatus: RefundStatus | null,
) {
  return {
    refund_id: refund.id,
    order_id: refund.orderId,
    reason: refund.reason,
    amount: refund.amount.toNumber(),
    currency: refund.amount.currency,
    status: refund.status,
    previous_status: previousStatus,
  }
}

export interface RefundFilter extends CreatedRange {
  status?: readonly string[] | undefined
  order_id?: string | undefined
}

export type ListedRefundRow = RefundRow & MaybeOrderLabelsRow

export function pageOfRefunds(tx: Transaction, tenantId: string, filter: RefundFilter, page: KeysetPage) {
  return countedPage<ListedRefundRow>(tx, page, {
    columns: sql`${refundColumns}, ${orderLabelsColumns}`,
    from: sql`cell.refund`,
    joins: maybeJoinOrderLabels(sql`refund`),
    where: allOf([
      sql`refund.tenant_id = ${tenantId}`,
      isEqual(sql`refund.order_id`, filter.order_id),
      isCreatedWithin(sql`refund.id`, sql`refund.created_at`, filter),
    ]),
    id: sql`refund.id`,
    filter: { column: sql`refund.status`, values: filter.status },
    read: readRefundAmount,
  })
}
