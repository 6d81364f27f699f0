import { zeroAddress } from 'viem'
import type { ApiRow } from '../../platform/api/declare/api-row.ts'
import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { unitsAt } from './address-history.sql.ts'
import type { RegisterChange } from './holder.schema.ts'

/** Blocks after `from`, through `to`. */
export interface BlockPeriod {
  readonly from: bigint
  readonly to: bigint
}

/** Selects the addresses whose units differ, with the difference. Reads only the logs of the period. */
function changed({ tenantId, offeringId }: OfferingKey, { from, to }: BlockPeriod): Sql {
  const moved = sql`
    token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and token_log.kind = 'transfer'
    and token_log.applied_at is not null and token_log.block_number > ${String(from)}::bigint
    and token_log.block_number <= ${String(to)}::bigint`
  return sql`
    from (
      select address, sum(units) as change
      from (
        select to_address as address, units from cell.token_log where ${moved} and to_address <> ${zeroAddress}
        union all
        select from_address, -units from cell.token_log where ${moved} and from_address is not null
      ) moves
      group by address having sum(units) <> 0
    ) changed
    join cell.holding on holding.tenant_id = ${tenantId} and holding.offering_id = ${offeringId}
      and holding.address = changed.address
    where true`
}

/** Counts the changes, and selects a page of them. */
export function selectRegisterChanges(tx: Transaction, key: OfferingKey, period: BlockPeriod, page: KeysetPage) {
  const { tenantId, offeringId } = key
  const cut = keysetCut(sql`holding.id`, page, { address: { column: sql`holding.address`, type: 'text' } })
  const order = page.direction === 'asc' ? sql`asc` : sql`desc`
  return tx.batch(
    (tx) => boundedCount(tx, changed(key, period)),
    (tx) =>
      tx.rows<ApiRow<typeof RegisterChange> & KeysetRow>(sql`
    select moved."cursorId", moved."sortKey", moved.address, (after.units - moved.change)::text as units_before,
           after.units::text as units_after, moved.change::text as change, wallet.id as wallet_id, wallet.account_id,
           account.full_name as name
    from (
      select holding.id, holding.address, changed.change, ${cut.column}
      ${changed(key, period)} and ${cut.where} ${cut.orderBy}
    ) moved
    join cell.offering on offering.tenant_id = ${tenantId} and offering.id = ${offeringId}
    left join cell.wallet on wallet.tenant_id = ${tenantId} and wallet.blockchain = offering.blockchain
      and wallet.public_address = moved.address
    left join cell.account on account.tenant_id = ${tenantId} and account.id = wallet.account_id
    cross join lateral (${unitsAt(key, sql`moved.address`, period.to)}) after
    order by moved."sortKey" ${order}, moved.id ${order}`),
  )
}
