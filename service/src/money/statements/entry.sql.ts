import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
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
import type { entryStates } from './statement.schema.ts'
import type { StatementKey } from './statement.sql.ts'

export type EntryState = (typeof entryStates)[number]

export interface EntryRow {
  id: string
  position: number
  fingerprint: string
  isCredit: boolean
  isReversal: boolean
  amount: string
  bookedOn: string
  bankReference: string | null
  /** Encrypted. */
  details: Buffer
  state: EntryState
  orderId: string | null
  refundId: string | null
  entitlementId: string | null
  unassignedPaymentId: string | null
  note: string | null
  resolution: string | null
}

/** An entry that waits to be matched. */
export type PendingEntry = Omit<EntryRow, 'amount'> & { amount: Money }

export interface NewEntry
  extends Pick<
    PendingEntry,
    'id' | 'position' | 'fingerprint' | 'isCredit' | 'isReversal' | 'amount' | 'bookedOn' | 'bankReference' | 'details'
  > {
  concernsTransfer: boolean
}

export const entryColumns = sql`
  bank_entry.id, bank_entry.position, bank_entry.fingerprint, bank_entry.is_credit as "isCredit",
  bank_entry.is_reversal as "isReversal", bank_entry.amount::text as amount, bank_entry.booked_on as "bookedOn",
  bank_entry.bank_reference as "bankReference", bank_entry.details, bank_entry.state,
  bank_entry.order_id as "orderId", bank_entry.refund_id as "refundId", bank_entry.entitlement_id as "entitlementId",
  bank_entry.unassigned_payment_id as "unassignedPaymentId", bank_entry.note, bank_entry.resolution`

/** Inserts the entries whose fingerprints are new and returns their number. */
export async function insertEntries(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  entries: readonly NewEntry[],
): Promise<number> {
  const inserted = await tx.row<{ count: number }>(sql`
    with inserted as (
      insert into cell.bank_entry (tenant_id, id, statement_id, position, fingerprint, is_credit, is_reversal, amount,
                                   booked_on, bank_reference, details, concerns_transfer)
      select ${tenantId}, entry.id, ${statementId}, entry.position, entry.fingerprint, entry.is_credit,
             entry.is_reversal, entry.amount, entry.booked_on, entry.bank_reference, entry.details,
             entry.concerns_transfer
      from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ position }) => position)}::int[],
                  ${entries.map(({ fingerprint }) => fingerprint)}::text[],
                  ${entries.map(({ isCredit }) => isCredit)}::boolean[],
                  ${entries.map(({ isReversal }) => isReversal)}::boolean[],
                  ${entries.map(({ amount }) => amount)}::numeric[], ${entries.map(({ bookedOn }) => bookedOn)}::date[],
                  ${entries.map(({ bankReference }) => bankReference)}::text[],
                  ${entries.map(({ details }) => details)}::bytea[],
                  ${entries.map(({ concernsTransfer }) => concernsTransfer)}::boolean[])
        as entry (id, position, fingerprint, is_credit, is_reversal, amount, booked_on, bank_reference, details,
                  concerns_transfer)
      on conflict (tenant_id, fingerprint) do nothing
      returning 1
    )
    select count(*)::int as count from inserted`)
  return inserted?.count ?? 0
}

/**
 * Allows one worker per tenant to match entries, so that two statements never wait for each other's order locks.
 * Returns false if another one has the lock.
 */
export async function tryLockStatementMatching(tx: Transaction, tenantId: string): Promise<boolean> {
  const result = await tx.row<{ isLocked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`statement matching ${tenantId}`}, 0)) as "isLocked"`)
  return result?.isLocked === true
}

export function lockPendingEntries(
  tx: Transaction,
  { tenantId, statementId, currency }: StatementKey & { currency: string },
  limit: number,
): Promise<PendingEntry[]> {
  const entries = tx.rows<PendingEntry>(sql`
    select ${entryColumns}, ${currency}::text as currency from cell.bank_entry
    where tenant_id = ${tenantId} and statement_id = ${statementId} and state = 'pending'
    order by position limit ${limit}::bigint for update`)
  return entries.then(readMoney('amount'))
}

/** Selects the credits of an account with this bank reference and amount. A batch may have many. */
export function selectCreditsByBankReference(
  tx: Transaction,
  tenantId: string,
  credit: { account: string; amount: Money; bankReference: string },
): Promise<Pick<EntryRow, 'fingerprint' | 'bankReference' | 'bookedOn' | 'orderId'>[]> {
  return tx.rows(sql`
    select bank_entry.fingerprint, bank_entry.bank_reference as "bankReference", bank_entry.booked_on as "bookedOn",
           bank_entry.order_id as "orderId"
    from cell.bank_entry
    join cell.bank_statement on bank_statement.tenant_id = bank_entry.tenant_id
      and bank_statement.id = bank_entry.statement_id
    where bank_entry.tenant_id = ${tenantId} and bank_entry.bank_reference = ${credit.bankReference}
      and bank_entry.is_credit and bank_entry.amount = ${credit.amount}::numeric
      and bank_statement.account = ${credit.account} and bank_statement.currency = ${credit.amount.currency}
    order by bank_entry.id limit 1000`)
}

/** The effect of an entry on orders, refunds and entitlements. */
export interface MatchResult {
  state: Exclude<EntryState, 'pending' | 'resolved'>
  orderId?: string
  refundId?: string
  entitlementId?: string
  unassignedPaymentId?: string
  note?: string
}

export async function updateMatchedEntries(
  tx: Transaction,
  tenantId: string,
  entries: readonly (MatchResult & { id: string })[],
): Promise<void> {
  const ids = entries.map(({ id }) => id)
  // `id = any` in addition to the join makes the planner use the primary key: it overestimates the rows of unnest.
  const updated = await tx.rows(sql`
    update cell.bank_entry
    set state = matched.state, order_id = matched.order_id, refund_id = matched.refund_id,
        entitlement_id = matched.entitlement_id, unassigned_payment_id = matched.unassigned_payment_id,
        note = matched.note
    from unnest(${ids}::uuid[], ${entries.map(({ state }) => state)}::text[],
                ${entries.map(({ orderId = null }) => orderId)}::uuid[],
                ${entries.map(({ refundId = null }) => refundId)}::uuid[],
                ${entries.map(({ entitlementId = null }) => entitlementId)}::uuid[],
                ${entries.map(({ unassignedPaymentId = null }) => unassignedPaymentId)}::uuid[],
                ${entries.map(({ note = null }) => note)}::text[])
      as matched (id, state, order_id, refund_id, entitlement_id, unassigned_payment_id, note)
    where bank_entry.tenant_id = ${tenantId} and bank_entry.id = any (${ids}::uuid[]) and bank_entry.id = matched.id
      and bank_entry.state = 'pending'
    returning bank_entry.id`)
  if (updated.length !== entries.length) throw new Error('a locked entry changed')
}

export interface EntryKey extends StatementKey {
  entryId: string
}

export function lockEntry(tx: Transaction, { tenantId, statementId, entryId }: EntryKey) {
  return tx.row<EntryRow>(sql`
    select ${entryColumns} from cell.bank_entry
    where tenant_id = ${tenantId} and id = ${entryId} and statement_id = ${statementId} for update`)
}

/** The caller has locked the entry; the state is compared again to catch a caller that has not. */
export async function setEntryResolved(
  tx: Transaction,
  { tenantId, statementId, entryId }: EntryKey,
  resolution: string,
): Promise<EntryRow> {
  const [resolved] = await tx.batch(
    (tx) =>
      tx.row<EntryRow>(sql`
      update cell.bank_entry set state = 'resolved', resolution = ${resolution}
      where tenant_id = ${tenantId} and id = ${entryId} and state = 'needs_attention'
      returning ${entryColumns}`),
    (tx) =>
      recordEvent(tx, tenantId, { type: 'entry.resolved', data: { entry_id: entryId, statement_id: statementId } }),
  )
  if (!resolved) throw new Error('a locked entry changed')
  return resolved
}

export interface EntryFilter {
  state?: readonly string[] | undefined
}

export type ListedEntryRow = EntryRow & MaybeOrderLabelsRow

/** Selects entries in the order of the statement, in which positions are unique. */
export function pageOfEntries(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  filter: EntryFilter,
  page: KeysetPage,
) {
  return countedPage<ListedEntryRow>(tx, page, {
    columns: sql`${entryColumns}, ${orderLabelsColumns}`,
    from: sql`cell.bank_entry`,
    joins: maybeJoinOrderLabels(sql`bank_entry`),
    where: sql`bank_entry.tenant_id = ${tenantId} and bank_entry.statement_id = ${statementId}`,
    id: sql`bank_entry.position`,
    idType: 'integer',
    filter: { column: sql`bank_entry.state`, values: filter.state },
  })
}
