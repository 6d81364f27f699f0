import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { entryStates } from './statement.schema.ts'
import type { StatementKey } from './statement.sql.ts'

export type EntryState = (typeof entryStates)[number]

export interface NewEntry {
  id: string
  position: number
  identity: string
  isCredit: boolean
  isReversal: boolean
  amount: string
  bookedOn: string
  bankReference: string | null
  details: Buffer
}

/** Entries that are not known yet; tells how many of these there were. */
export async function insertEntries(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  entries: readonly NewEntry[],
): Promise<number> {
  const inserted = await tx.row<{ count: number }>(sql`
    with inserted as (
      insert into cell.bank_entry (tenant_id, id, statement_id, position, identity, is_credit, is_reversal, amount,
                                   booked_on, bank_reference, details)
      select ${tenantId}, entry.id, ${statementId}, entry.position, entry.identity, entry.is_credit, entry.is_reversal,
             entry.amount, entry.booked_on, entry.bank_reference, entry.details
      from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ position }) => position)}::int[],
                  ${entries.map(({ identity }) => identity)}::text[],
                  ${entries.map(({ isCredit }) => isCredit)}::boolean[],
                  ${entries.map(({ isReversal }) => isReversal)}::boolean[],
                  ${entries.map(({ amount }) => amount)}::numeric[], ${entries.map(({ bookedOn }) => bookedOn)}::date[],
                  ${entries.map(({ bankReference }) => bankReference)}::text[],
                  ${entries.map(({ details }) => details)}::bytea[])
        as entry (id, position, identity, is_credit, is_reversal, amount, booked_on, bank_reference, details)
      on conflict (tenant_id, identity) do nothing
      returning 1
    )
    select count(*)::int as count from inserted`)
  return inserted?.count ?? 0
}

export interface EntryRow {
  id: string
  position: number
  identity: string
  is_credit: boolean
  is_reversal: boolean
  amount: string
  booked_on: string
  bank_reference: string | null
  details: Buffer
  state: EntryState
  order_id: string | null
  refund_id: string | null
  unassigned_payment_id: string | null
  note: string | null
  handling: string | null
}

const columns = sql`
  id, position, identity, is_credit, is_reversal, amount::text as amount, booked_on, bank_reference, details, state,
  order_id, refund_id, unassigned_payment_id, note, handling`

/** Entries of a tenant are booked by one worker at a time, so that two files never wait for each other's orders. */
export async function holdMatching(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`statement matching ${tenantId}`}, 0))`)
}

/** The next entries of a statement that wait, held until the end of the transaction. */
export function lockWaitingEntries(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  limit: number,
): Promise<EntryRow[]> {
  return tx.rows<EntryRow>(sql`
    select ${columns} from cell.bank_entry
    where tenant_id = ${tenantId} and statement_id = ${statementId} and state = 'waiting'
    order by position limit ${limit}::bigint for update`)
}

/** What became of an entry. */
export interface Outcome {
  state: Exclude<EntryState, 'waiting' | 'handled'>
  orderId?: string
  refundId?: string
  unassignedId?: string
  note?: string
}

export async function updateEntries(
  tx: Transaction,
  tenantId: string,
  entries: readonly (Outcome & { id: string })[],
): Promise<void> {
  const ids = entries.map(({ id }) => id)
  // Named twice, so that the rows are found by their key: of a list alone the planner believes that it is long.
  const updated = await tx.rows(sql`
    update cell.bank_entry
    set state = outcome.state, order_id = outcome.order_id, refund_id = outcome.refund_id,
        unassigned_payment_id = outcome.unassigned_id, note = outcome.note
    from unnest(${ids}::uuid[], ${entries.map(({ state }) => state)}::text[],
                ${entries.map(({ orderId = null }) => orderId)}::uuid[],
                ${entries.map(({ refundId = null }) => refundId)}::uuid[],
                ${entries.map(({ unassignedId = null }) => unassignedId)}::uuid[],
                ${entries.map(({ note = null }) => note)}::text[])
      as outcome (id, state, order_id, refund_id, unassigned_id, note)
    where bank_entry.tenant_id = ${tenantId} and bank_entry.id = any (${ids}::uuid[]) and bank_entry.id = outcome.id
      and bank_entry.state = 'waiting'
    returning bank_entry.id`)
  if (updated.length !== entries.length) throw new Error('an entry changed although its row was held')
}

export interface EntryKey extends StatementKey {
  entryId: string
}

/** One entry as it is now, held until the end of the transaction. */
export function lockEntry(
  tx: Transaction,
  { tenantId, statementId, entryId }: EntryKey,
): Promise<EntryRow | undefined> {
  return tx.row<EntryRow>(sql`
    select ${columns} from cell.bank_entry
    where tenant_id = ${tenantId} and id = ${entryId} and statement_id = ${statementId} for update`)
}

/** A compare-and-set, though its row is held. */
export async function handleEntry(
  tx: Transaction,
  { tenantId, entryId }: EntryKey,
  handling: string,
): Promise<EntryRow> {
  const handled = await tx.row<EntryRow>(sql`
    update cell.bank_entry set state = 'handled', handling = ${handling}
    where tenant_id = ${tenantId} and id = ${entryId} and state = 'attention'
    returning ${columns}`)
  if (!handled) throw new Error('an entry changed although its row was held')
  return handled
}

export interface EntryFilter {
  state?: EntryState | undefined
}

function matching({ tenantId, statementId }: StatementKey, { state }: EntryFilter) {
  return sql`
    tenant_id = ${tenantId} and statement_id = ${statementId}
    and (${state ?? null}::text is null or state = ${state ?? null})`
}

export async function countEntries(tx: Transaction, key: StatementKey, filter: EntryFilter): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.bank_entry where ${matching(key, filter)}`)
  return found?.count ?? 0
}

export function listEntries(tx: Transaction, key: StatementKey, filter: EntryFilter, page: Page): Promise<EntryRow[]> {
  return tx.rows<EntryRow>(sql`
    select ${columns} from cell.bank_entry where ${matching(key, filter)} ${filteredCut(sql`position`, page)}`)
}
