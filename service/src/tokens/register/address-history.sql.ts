import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'

/** Condition for the applied logs of a token up to a block, or for all of them. */
function appliedTo({ tenantId, offeringId }: OfferingKey, block: bigint | null): Sql {
  const upTo = block === null ? sql`true` : sql`token_log.block_number <= ${String(block)}::bigint`
  return sql`
    token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and token_log.applied_at is not null
    and ${upTo}`
}

/** Selects each transfer to or from an address, as a change of its units. */
export function changesOfAddress(key: OfferingKey, address: Sql, block: bigint | null): Sql {
  const applied = appliedTo(key, block)
  return sql`
    select token_log.block_number, token_log.log_index, token_log.block_timestamp, token_log.units as change
    from cell.token_log where ${applied} and token_log.kind = 'transfer' and token_log.to_address = ${address}
    union all
    select token_log.block_number, token_log.log_index, token_log.block_timestamp, -token_log.units
    from cell.token_log where ${applied} and token_log.kind = 'transfer' and token_log.from_address = ${address}`
}

/** Sums the units of an address after a block. */
export function unitsAt(key: OfferingKey, address: Sql, block: bigint): Sql {
  return sql`select coalesce(sum(change), 0) as units from (${changesOfAddress(key, address, block)}) changes`
}

/** Finds the time of the first change after which the address has had units without interruption. */
export function heldSince(changes: Sql): Sql {
  return sql`
    select min(at) as since
    from (
      select at, count(*) filter (where units = 0) over (
               order by block_number desc, log_index desc rows unbounded preceding) as empty_since
      from (
        select block_number, log_index, min(block_timestamp) as at,
               sum(sum(change)) over (order by block_number, log_index rows unbounded preceding) as units
        from (${changes}) changes group by block_number, log_index
      ) balances
    ) periods
    where empty_since = 0`
}

/** Selects the frozen units of an address after a block, from its last Frozen log. No row if there is none. */
export function frozenUnits(key: OfferingKey, address: Sql, block: bigint | null): Sql {
  return sql`
    select token_log.units from cell.token_log
    where ${appliedTo(key, block)} and token_log.kind = 'frozen' and token_log.to_address = ${address}
    order by token_log.block_number desc, token_log.log_index desc limit 1`
}
