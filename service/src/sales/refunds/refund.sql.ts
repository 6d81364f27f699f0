import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { refundReasons } from './refund.schema.ts'
import { type RefundStatus, refundEvent } from './refund-status.ts'

export type RefundReason = (typeof refundReasons)[number]

export interface RefundKey {
  tenantId: string
  refundId: string
}

/** A row of cell.refund. */
export interface RefundRow {
  id: string
  orderId: string
  reason: RefundReason
  amount: string
  currency: string
  status: RefundStatus
  reference: string | null
  failure: string | null
  createdAt: Date
  changedAt: Date
}

export const refundColumns: Sql = sql`
  refund.id, refund.order_id as "orderId", refund.reason, refund.amount::text as amount, refund.currency,
  refund.status, refund.reference, refund.failure, refund.created_at as "createdAt", refund.changed_at as "changedAt"`

/** Creates a refund that is due and records its event. */
export async function insertRefund(
  tx: Transaction,
  tenantId: string,
  refund: Pick<RefundRow, 'orderId' | 'reason' | 'amount' | 'currency'>,
): Promise<void> {
  const id = newRowId()
  await Promise.all([
    tx.rows(sql`
      insert into cell.refund (tenant_id, id, order_id, reason, amount, currency)
      values (${tenantId}, ${id}, ${refund.orderId}, ${refund.reason}, ${refund.amount}, ${refund.currency})`),
    recordEvent(tx, tenantId, { type: 'refund.due', data: eventData({ ...refund, id, status: 'due' }, null) }),
  ])
}

export function findRefund(tx: Transaction, { tenantId, refundId }: RefundKey): Promise<RefundRow | undefined> {
  return tx.row<RefundRow>(sql`
    select ${refundColumns} from cell.refund where tenant_id = ${tenantId} and id = ${refundId}`)
}

/** Locks the refund until the transaction ends. */
export function lockRefund(tx: Transaction, { tenantId, refundId }: RefundKey): Promise<RefundRow | undefined> {
  return tx.row<RefundRow>(sql`
    select ${refundColumns} from cell.refund where tenant_id = ${tenantId} and id = ${refundId} for update`)
}

/** Locks the refunds of an order that are not sent yet, until the transaction ends. */
export function lockDueRefunds(tx: Transaction, tenantId: string, orderId: string): Promise<RefundRow[]> {
  return tx.rows<RefundRow>(sql`
    select ${refundColumns} from cell.refund
    where tenant_id = ${tenantId} and order_id = ${orderId} and status = 'due'
    order by id for update`)
}

interface RefundChange {
  to: RefundStatus
  now: Date
  reference?: string
  failure?: string
  /** Who reports the change. A bank can make transitions that an operator cannot. */
  by?: 'operator' | 'bank'
}

/** Moves a refund, whose row the caller has locked, to another status and records the event. Returns the new row. */
export async function moveRefund(
  tx: Transaction,
  tenantId: string,
  refund: RefundRow,
  { to, now, reference, failure, by }: RefundChange,
): Promise<RefundRow> {
  const type = refundEvent(refund.status, to, by)
  if (!type) throw new Error(`a refund that is ${refund.status} cannot become ${to}`)
  const moved: RefundRow = {
    ...refund,
    status: to,
    reference: to === 'due' ? null : (reference ?? refund.reference),
    failure: to === 'failed' ? (failure ?? null) : null,
    changedAt: now,
  }
  const [changed] = await Promise.all([
    tx.row(sql`
      update cell.refund
      set status = ${to}, reference = ${moved.reference}, failure = ${moved.failure}, changed_at = ${now}
      where tenant_id = ${tenantId} and id = ${refund.id} and status = ${refund.status}
      returning id`),
    recordEvent(tx, tenantId, { type, data: eventData(moved, refund.status) }),
  ])
  if (!changed) throw new Error('a refund changed although its row was locked')
  return moved
}

function eventData(
  refund: Pick<RefundRow, 'id' | 'orderId' | 'reason' | 'amount' | 'currency' | 'status'>,
  previousStatus: RefundStatus | null,
) {
  return {
    refund_id: refund.id,
    order_id: refund.orderId,
    reason: refund.reason,
    amount: Number(refund.amount),
    currency: refund.currency,
    status: refund.status,
    previous_status: previousStatus,
  }
}

export interface RefundFilter {
  status?: string | undefined
  order_id?: string | undefined
}

function matching(tenantId: string, { status, order_id }: RefundFilter): Sql {
  return sql`
    tenant_id = ${tenantId}
    and (${status ?? null}::text is null or status = ${status ?? null})
    and (${order_id ?? null}::uuid is null or order_id = ${order_id ?? null})`
}

export async function countRefunds(tx: Transaction, tenantId: string, filter: RefundFilter): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.refund where ${matching(tenantId, filter)}`)
  return found?.count ?? 0
}

export function selectRefunds(
  tx: Transaction,
  tenantId: string,
  filter: RefundFilter,
  page: Page,
): Promise<RefundRow[]> {
  return tx.rows<RefundRow>(sql`
    select ${refundColumns} from cell.refund where ${matching(tenantId, filter)} ${filteredCut(sql`id`, page)}`)
}
