import type { Static } from 'typebox'
import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { Refund, refundReasons } from './refund.schema.ts'
import { type RefundStatus, refundEvent } from './refund-status.ts'

export type RefundReason = (typeof refundReasons)[number]

export interface RefundKey {
  tenantId: string
  refundId: string
}

/** Rows are named as the contract names them; only the times are dates. */
export type RefundRow = Omit<Static<typeof Refund>, 'created_at' | 'changed_at'> & {
  created_at: Date
  changed_at: Date
}

const columns = sql`
  id, order_id, reason, amount::text as amount, currency, status, reference, failure, created_at, changed_at`

/** Money of an order that is owed back from now on. */
export async function insertRefund(
  tx: Transaction,
  tenantId: string,
  refund: { orderId: string; reason: RefundReason; amount: string; currency: string },
): Promise<void> {
  const refundId = newRowId()
  await Promise.all([
    tx.rows(sql`
      insert into cell.refund (tenant_id, id, order_id, reason, amount, currency)
      values (${tenantId}, ${refundId}, ${refund.orderId}, ${refund.reason}, ${refund.amount}, ${refund.currency})`),
    recordEvent(tx, tenantId, {
      type: 'refund.due',
      data: eventData({ id: refundId, order_id: refund.orderId, status: 'due', previous_status: null, ...refund }),
    }),
  ])
}

export function findRefund(tx: Transaction, { tenantId, refundId }: RefundKey): Promise<RefundRow | undefined> {
  return tx.row<RefundRow>(sql`
    select ${columns} from cell.refund where tenant_id = ${tenantId} and id = ${refundId}`)
}

/** The refund as it is now, held until the end of the transaction. */
export function lockRefund(tx: Transaction, { tenantId, refundId }: RefundKey): Promise<RefundRow | undefined> {
  return tx.row<RefundRow>(sql`
    select ${columns} from cell.refund where tenant_id = ${tenantId} and id = ${refundId} for update`)
}

/** The refunds of an order that nobody has sent yet, held until the end of the transaction. */
export function lockDueRefunds(tx: Transaction, tenantId: string, orderId: string): Promise<RefundRow[]> {
  return tx.rows<RefundRow>(sql`
    select ${columns} from cell.refund
    where tenant_id = ${tenantId} and order_id = ${orderId} and status = 'due'
    order by id for update`)
}

interface RefundStep {
  to: RefundStatus
  now: Date
  reference?: string
  failure?: string
  /** Who says so; a bank may say more than a person. */
  by?: 'person' | 'bank'
}

/** The refund's next step, which its status must allow, and its event. Tells the refund as it is then. */
export async function moveRefund(
  tx: Transaction,
  tenantId: string,
  refund: RefundRow,
  { to, now, reference, failure, by }: RefundStep,
): Promise<RefundRow> {
  const type = refundEvent(refund.status, to, by)
  if (!type) throw new Error(`a refund that is ${refund.status} cannot become ${to}`)
  const moved: RefundRow = {
    ...refund,
    status: to,
    reference: to === 'due' ? null : (reference ?? refund.reference),
    failure: to === 'failed' ? (failure ?? null) : null,
    changed_at: now,
  }
  const [changed] = await Promise.all([
    tx.row(sql`
      update cell.refund
      set status = ${to}, reference = ${moved.reference}, failure = ${moved.failure}, changed_at = ${now}
      where tenant_id = ${tenantId} and id = ${refund.id} and status = ${refund.status}
      returning id`),
    recordEvent(tx, tenantId, { type, data: eventData({ ...moved, previous_status: refund.status }) }),
  ])
  if (!changed) throw new Error('a refund changed although its row was held')
  return moved
}

type Told = Pick<RefundRow, 'id' | 'order_id' | 'reason' | 'amount' | 'currency' | 'status'>

function eventData({
  id,
  order_id,
  reason,
  amount,
  currency,
  status,
  previous_status,
}: Told & { previous_status: RefundStatus | null }) {
  return { refund_id: id, order_id, reason, amount: Number(amount), currency, status, previous_status }
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
    select ${columns} from cell.refund where ${matching(tenantId, filter)} ${filteredCut(sql`id`, page)}`)
}
