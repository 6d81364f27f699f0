import { allOf, type CreatedRange, countedPage, isCreatedWithin } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { raw, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { mayBePaid } from '../../sales/refunds/may-be-paid.sql.ts'
import type { RefundStatus } from '../../sales/refunds/refund-status.ts'
import type { payoutStatuses } from './payout.schema.ts'

export type PayoutStatus = (typeof payoutStatuses)[number]

export interface PayoutKey {
  tenantId: string
  payoutId: string
}

export interface PayoutRow {
  id: string
  status: PayoutStatus
  currency: string | null
  executionDate: string | null
  createdAt: Date
  releasedAt: Date | null
  downloadedAt: Date | null
  discardedAt: Date | null
  /** Encrypted; null until the first download. */
  file: Buffer | null
}

/** A payout with the totals of its refunds by currency and status. */
export interface PayoutWithTotals extends Omit<PayoutRow, 'file'> {
  refundTotals: { currency: string; status: RefundStatus; amount: string; count: number }[]
  /** Number of its due refunds that an earlier transfer may have paid. */
  sentBefore: number
  /** Downloaded payouts that contained one of its refunds before, latest first. */
  earlierPayouts: { payoutId: string; downloadedAt: string; refunds: number }[]
}

/** Enough to see that refunds are paid again and again; the transfers list all. */
const earlierPayoutsMax = 20

const columns = sql`
  payout.id, payout.status, payout.currency, payout.execution_date::text as "executionDate",
  payout.created_at as "createdAt", payout.released_at as "releasedAt", payout.downloaded_at as "downloadedAt",
  payout.discarded_at as "discardedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('currency', total.currency, 'status', total.status,
                                                'amount', total.amount, 'count', total.count)
                             order by total.currency, total.status), '[]')
   from (select refund.currency, refund.status, sum(refund.amount)::text as amount, count(*)::int as count
         from cell.payout_refund
         join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
         where payout_refund.tenant_id = payout.tenant_id and payout_refund.payout_id = payout.id
         group by refund.currency, refund.status) total) as "refundTotals",
  (select count(*)::int from cell.payout_refund
   join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
   where payout_refund.tenant_id = payout.tenant_id and payout_refund.payout_id = payout.id
     and refund.status = 'due' and ${mayBePaid}) as "sentBefore",
  (select coalesce(jsonb_agg(jsonb_build_object('payoutId', earlier.id, 'downloadedAt', earlier.downloaded_at,
                                                'refunds', earlier.refunds)
                             order by earlier.downloaded_at desc), '[]')
   from (select other.id, other.downloaded_at, count(*)::int as refunds
         from cell.payout_refund own
         join cell.payout_refund theirs on theirs.tenant_id = own.tenant_id and theirs.refund_id = own.refund_id
           and theirs.payout_id <> own.payout_id
         join cell.payout other on other.tenant_id = theirs.tenant_id and other.id = theirs.payout_id
         where own.tenant_id = payout.tenant_id and own.payout_id = payout.id
           and other.downloaded_at < coalesce(payout.downloaded_at, 'infinity')
         group by other.id, other.downloaded_at
         order by other.downloaded_at desc limit ${raw(String(earlierPayoutsMax))}) earlier) as "earlierPayouts"`

export async function insertPayout(
  tx: Transaction,
  { tenantId, payoutId }: PayoutKey,
  payout: { currency: string | null; executionDate: string | null; now: Date },
): Promise<void> {
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      insert into cell.payout (tenant_id, id, currency, execution_date, created_at)
      values (${tenantId}, ${payoutId}, ${payout.currency}, ${payout.executionDate}, ${payout.now})`),
    (tx) => recordEvent(tx, tenantId, { type: 'payout.created', data: { payout_id: payoutId } }),
  )
}

export function findPayout(tx: Transaction, { tenantId, payoutId }: PayoutKey): Promise<PayoutWithTotals | undefined> {
  return tx.row<PayoutWithTotals>(sql`
    select ${columns} from cell.payout where payout.tenant_id = ${tenantId} and payout.id = ${payoutId}`)
}

export type LockedPayout = Pick<PayoutRow, 'status' | 'executionDate' | 'file'>

export function lockPayout(tx: Transaction, { tenantId, payoutId }: PayoutKey): Promise<LockedPayout | undefined> {
  return tx.row<LockedPayout>(sql`
    select status, execution_date::text as "executionDate", file from cell.payout
    where tenant_id = ${tenantId} and id = ${payoutId} for update`)
}

/** Locks the payout. The fingerprint changes with the payout and with any refund in it. */
export async function payoutFingerprint(
  { tenantId, id }: { tenantId: string; id: string },
  tx: Transaction,
): Promise<string> {
  const payout = await lockPayoutRow({ tenantId, id }, tx)
  const transfers = await tx.row<{ version: string | null }>(sql`
    select md5(string_agg(payout_refund::text || refund.amount || refund.currency || refund.status, ','
                          order by refund.id)) as version
    from cell.payout_refund
    join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
    where payout_refund.tenant_id = ${tenantId} and payout_refund.payout_id = ${id}`)
  return `${payout} ${transfers?.version ?? ''}`
}

const lockPayoutRow = rowFingerprint(sql`cell.payout`)

export async function setPayoutReleased(tx: Transaction, { tenantId, payoutId }: PayoutKey, now: Date): Promise<void> {
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      update cell.payout set status = 'released', released_at = ${now}
      where tenant_id = ${tenantId} and id = ${payoutId} and status = 'open'`),
    (tx) => recordEvent(tx, tenantId, { type: 'payout.released', data: { payout_id: payoutId } }),
  )
}

/** Stores the file and removes the refunds that it does not pay, which makes them available again. */
export async function setPayoutDownloaded(
  tx: Transaction,
  { tenantId, payoutId }: PayoutKey,
  { file, paid, now }: { file: Buffer; paid: readonly string[]; now: Date },
): Promise<void> {
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      update cell.payout set status = 'downloaded', downloaded_at = ${now}, file = ${file}
      where tenant_id = ${tenantId} and id = ${payoutId} and status = 'released'`),
    (tx) =>
      tx.rows(sql`
      update cell.payout_refund set is_open = false
      where tenant_id = ${tenantId} and payout_id = ${payoutId} and refund_id = any(${paid}::uuid[])`),
    (tx) =>
      tx.rows(sql`
      delete from cell.payout_refund
      where tenant_id = ${tenantId} and payout_id = ${payoutId} and refund_id <> all(${paid}::uuid[])`),
    (tx) =>
      recordEvent(tx, tenantId, { type: 'payout.downloaded', data: { payout_id: payoutId, refunds: paid.length } }),
  )
}

/** Removes the payout's refunds, which makes them available again. */
export async function setPayoutDiscarded(tx: Transaction, { tenantId, payoutId }: PayoutKey, now: Date): Promise<void> {
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      update cell.payout set status = 'discarded', discarded_at = ${now}
      where tenant_id = ${tenantId} and id = ${payoutId} and status in ('open', 'released')`),
    (tx) => tx.rows(sql`delete from cell.payout_refund where tenant_id = ${tenantId} and payout_id = ${payoutId}`),
    (tx) => recordEvent(tx, tenantId, { type: 'payout.discarded', data: { payout_id: payoutId } }),
  )
}

export interface PayoutFilter extends CreatedRange {
  status?: readonly string[] | undefined
}

export function pageOfPayouts(tx: Transaction, tenantId: string, filter: PayoutFilter, page: KeysetPage) {
  const id = sql`payout.id`
  return countedPage<PayoutWithTotals>(tx, page, {
    columns,
    from: sql`cell.payout`,
    where: allOf([sql`payout.tenant_id = ${tenantId}`, isCreatedWithin(id, sql`payout.created_at`, filter)]),
    id,
    filter: { column: sql`payout.status`, values: filter.status },
  })
}
