import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type RefundRow, refundColumns } from '../../sales/refunds/refund.sql.ts'
import type { RefundStatus } from '../../sales/refunds/refund-status.ts'
import type { payoutStatuses } from './payout.schema.ts'
import type { EnteredBankAccount } from './transfer.ts'

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
  downloadedAt: Date | null
  discardedAt: Date | null
  /** Encrypted; null until the first download. */
  file: Buffer | null
}

/** A payout with the totals of its refunds by currency and status. */
export interface PayoutWithTotals extends Omit<PayoutRow, 'file'> {
  refundTotals: { currency: string; status: RefundStatus; amount: string; count: number }[]
}

const columns = sql`
  payout.id, payout.status, payout.currency, payout.execution_date::text as "executionDate",
  payout.created_at as "createdAt", payout.downloaded_at as "downloadedAt", payout.discarded_at as "discardedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('currency', total.currency, 'status', total.status,
                                                'amount', total.amount, 'count', total.count)
                             order by total.currency, total.status), '[]')
   from (select refund.currency, refund.status, sum(refund.amount)::text as amount, count(*)::int as count
         from cell.payout_refund
         join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
         where payout_refund.tenant_id = payout.tenant_id and payout_refund.payout_id = payout.id
         group by refund.currency, refund.status) total) as "refundTotals"`

export async function insertPayout(
  tx: Transaction,
  { tenantId, payoutId }: PayoutKey,
  payout: { currency: string | null; executionDate: string | null; now: Date; refundIds: readonly string[] },
): Promise<void> {
  await Promise.all([
    tx.rows(sql`
      insert into cell.payout (tenant_id, id, currency, execution_date, created_at)
      values (${tenantId}, ${payoutId}, ${payout.currency}, ${payout.executionDate}, ${payout.now})`),
    tx.rows(sql`
      insert into cell.payout_refund (tenant_id, payout_id, refund_id)
      select ${tenantId}, ${payoutId}, refund_id from unnest(${payout.refundIds}::uuid[]) refund_id`),
  ])
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

/** A refund with the bank accounts that its transfer needs. */
export interface PayableRefund extends RefundRow {
  paymentReference: string
  collectionAccount: EnteredBankAccount
  accountId: string
  /** The investor's, encrypted. */
  bankAccount: Buffer
}

const payableColumns = sql`
  ${refundColumns},
  token_order.payment_reference as "paymentReference", token_order.payment_bank_account as "collectionAccount",
  account.id as "accountId", account.bank_account as "bankAccount"`

const withBankAccounts = sql`
  join cell.token_order on token_order.tenant_id = refund.tenant_id and token_order.id = refund.order_id
  join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id`

const isAvailable = sql`
  not exists (select from cell.payout_refund
              where payout_refund.tenant_id = refund.tenant_id and payout_refund.refund_id = refund.id
                and payout_refund.is_open)`

/**
 * Locks due refunds, oldest first, and then reads which of them are in no open payout. The second statement has its own
 * snapshot, so a transaction that waited for the locks sees the refunds that a concurrent payout has taken.
 */
export async function lockAvailableRefunds(
  tx: Transaction,
  { tenantId, currency, limit }: { tenantId: string; currency: string | null; limit: number },
): Promise<PayableRefund[]> {
  const locked = await tx.rows<{ id: string }>(sql`
    select id from cell.refund
    where tenant_id = ${tenantId} and status = 'due' and (${currency}::text is null or currency = ${currency})
      and ${isAvailable}
    order by id limit ${limit}::bigint for update`)
  return tx.rows<PayableRefund>(sql`
    select ${payableColumns} from cell.refund ${withBankAccounts}
    where refund.tenant_id = ${tenantId} and refund.id = any(${locked.map(({ id }) => id)}::uuid[])
      and refund.status = 'due' and ${isAvailable}
    order by refund.id`)
}

export async function countDueRefundsInOpenPayouts(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.payout_refund
    join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
    where payout_refund.tenant_id = ${tenantId} and payout_refund.is_open and refund.status = 'due'`)
  return found?.count ?? 0
}

/** Locks the payout's refunds that are still due, so that no concurrent request withdraws them. */
export function lockDueRefundsOfPayout(tx: Transaction, { tenantId, payoutId }: PayoutKey): Promise<PayableRefund[]> {
  return tx.rows<PayableRefund>(sql`
    select ${payableColumns}
    from cell.payout_refund
    join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
    ${withBankAccounts}
    where payout_refund.tenant_id = ${tenantId} and payout_refund.payout_id = ${payoutId} and refund.status = 'due'
    order by refund.id for update of refund`)
}

/** Stores the file and removes the refunds that it does not pay, which makes them available again. */
export async function setPayoutDownloaded(
  tx: Transaction,
  { tenantId, payoutId }: PayoutKey,
  { file, paid, now }: { file: Buffer; paid: readonly string[]; now: Date },
): Promise<void> {
  await Promise.all([
    tx.rows(sql`
      update cell.payout set status = 'downloaded', downloaded_at = ${now}, file = ${file}
      where tenant_id = ${tenantId} and id = ${payoutId} and status = 'open'`),
    tx.rows(sql`
      update cell.payout_refund set is_open = false
      where tenant_id = ${tenantId} and payout_id = ${payoutId} and refund_id = any(${paid}::uuid[])`),
    tx.rows(sql`
      delete from cell.payout_refund
      where tenant_id = ${tenantId} and payout_id = ${payoutId} and refund_id <> all(${paid}::uuid[])`),
  ])
}

/** Removes the payout's refunds, which makes them available again. */
export async function setPayoutDiscarded(tx: Transaction, { tenantId, payoutId }: PayoutKey, now: Date): Promise<void> {
  await Promise.all([
    tx.rows(sql`
      update cell.payout set status = 'discarded', discarded_at = ${now}
      where tenant_id = ${tenantId} and id = ${payoutId} and status = 'open'`),
    tx.rows(sql`delete from cell.payout_refund where tenant_id = ${tenantId} and payout_id = ${payoutId}`),
  ])
}

export async function countPayouts(tx: Transaction, tenantId: string, status: string | null): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.payout
    where tenant_id = ${tenantId} and (${status}::text is null or status = ${status})`)
  return found?.count ?? 0
}

export function selectPayouts(
  tx: Transaction,
  tenantId: string,
  status: string | null,
  page: Page,
): Promise<PayoutWithTotals[]> {
  return tx.rows<PayoutWithTotals>(sql`
    select ${columns} from cell.payout
    where payout.tenant_id = ${tenantId} and (${status}::text is null or payout.status = ${status})
    ${filteredCut(sql`payout.id`, page)}`)
}
