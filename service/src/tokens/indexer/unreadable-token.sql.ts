import type pg from 'pg'
import { raiseAlarm } from '../../access/alarms/raise-alarm.ts'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { IndexerCursor } from './cursor.sql.ts'
import { countBackfill, givenTokens, type IndexedToken } from './indexed-token.sql.ts'

/**
 * Sets tokens aside: from this block on, a backfill reads them. Returns false if the cursor moved. Counts as a
 * backfill, so that a process that still reads these tokens cannot move the cursor.
 */
export async function setAsideTokens(
  pool: pg.Pool,
  cursor: IndexerCursor,
  tokens: readonly IndexedToken[],
  readTo: bigint,
): Promise<boolean> {
  const setAside = await acrossTenants(pool).rows(sql`
    with counted as (${countBackfill(cursor)})
    insert into cell.indexed_token (chain, token_address, desk_address, backfilled_to, unreadable_since)
    select counted.chain, token, desk, ${readTo}::bigint, clock_timestamp()
    from counted, ${givenTokens(tokens)}
    on conflict (chain, token_address, desk_address)
    do update set is_backfilled = false, backfilled_to = excluded.backfilled_to,
                  unreadable_since = coalesce(indexed_token.unreadable_since, excluded.unreadable_since)
    returning token_address`)
  return setAside.length === tokens.length
}

/** Marks the registers of these offerings as complete up to these blocks only, whatever block the indexer reaches. */
export async function limitRegisters(
  tx: Transaction,
  tenantId: string,
  offerings: readonly { offeringId: string; readTo: bigint }[],
): Promise<void> {
  await tx.rows(sql`
    update cell.offering set token_read_to = coalesce(token_read_to, given.read_to)
    from unnest(${offerings.map(({ offeringId }) => offeringId)}::uuid[],
                ${offerings.map(({ readTo }) => readTo)}::bigint[]) as given (offering_id, read_to)
    where offering.tenant_id = ${tenantId} and offering.id = given.offering_id`)
}

/** Stops the mints of these offerings and informs operators, once. Returns those that were not reported before. */
export async function reportUnreadable(
  tx: Transaction,
  tenantId: string,
  offeringIds: readonly string[],
): Promise<string[]> {
  const reported = await tx.rows<{ id: string }>(sql`
    update cell.offering set token_unreadable_since = clock_timestamp()
    where tenant_id = ${tenantId} and id = any (${offeringIds}::uuid[]) and token_unreadable_since is null
    returning id`)
  for (const { id } of reported)
    await raiseAlarm(tx, tenantId, { type: 'offering.token_unreadable', data: { offering_id: id }, offeringId: id })
  return reported.map(({ id }) => id)
}

/** Marks the registers of these offerings as complete again. Returns those whose token was reported. */
export async function endUnreadable(
  tx: Transaction,
  tenantId: string,
  offeringIds: readonly string[],
): Promise<string[]> {
  const ended = await tx.rows<{ id: string; wasReported: boolean }>(sql`
    with limited as (
      select id, token_unreadable_since is not null as was_reported from cell.offering
      where tenant_id = ${tenantId} and id = any (${offeringIds}::uuid[]) and token_read_to is not null
      for no key update
    )
    update cell.offering set token_read_to = null, token_unreadable_since = null
    from limited where offering.tenant_id = ${tenantId} and offering.id = limited.id
    returning offering.id, limited.was_reported as "wasReported"`)
  const reported = ended.filter(({ wasReported }) => wasReported).map(({ id }) => id)
  for (const id of reported)
    await recordEvent(tx, tenantId, { type: 'offering.token_readable', data: { offering_id: id } })
  return reported
}
