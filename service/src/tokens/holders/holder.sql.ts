import type { Address } from 'viem'
import type { Page } from '../../platform/api/declare/page.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'

export interface HolderRow {
  address: Address
  units: string
  walletId: string | null
  accountId: string | null
}

const zero = '0x0000000000000000000000000000000000000000'

/** All addresses with units after this block: the sum of all transfers up to it. */
function holdersAt({ tenantId, offeringId }: OfferingKey, block: bigint): Sql {
  const moved = sql`
    token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and token_log.kind = 'transfer'
    and token_log.applied_at is not null and token_log.block_number <= ${String(block)}::bigint`
  return sql`
    select address, sum(units) as units
    from (
      select to_address as address, units from cell.token_log where ${moved} and to_address <> ${zero}
      union all
      select from_address, -units from cell.token_log where ${moved} and from_address is not null
    ) moves
    group by address having sum(units) <> 0`
}

export async function countHolders(tx: Transaction, key: OfferingKey, block: bigint): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from (${holdersAt(key, block)}) holders`)
  return found?.count ?? 0
}

function withWallets({ tenantId, offeringId }: OfferingKey, block: bigint): Sql {
  return sql`
    select holders.address, holders.units::text as units, wallet.id as "walletId", wallet.account_id as "accountId"
    from (${holdersAt({ tenantId, offeringId }, block)}) holders
    join cell.offering on offering.tenant_id = ${tenantId} and offering.id = ${offeringId}
    left join cell.wallet on wallet.tenant_id = ${tenantId} and wallet.blockchain = offering.blockchain
      and wallet.public_address = holders.address`
}

/** Ordered by address. Holders at a finalized block never change, so pages are stable. */
export function selectHolders(
  tx: Transaction,
  key: OfferingKey,
  block: bigint,
  { direction, limit, offset }: Page,
): Promise<HolderRow[]> {
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  return tx.rows<HolderRow>(sql`
    ${withWallets(key, block)}
    order by holders.address ${order} limit ${limit}::bigint offset ${offset}::bigint`)
}

/** The next page after an address. */
export function selectHoldersAfter(
  tx: Transaction,
  key: OfferingKey,
  block: bigint,
  { after, limit }: { after: string; limit: number },
): Promise<HolderRow[]> {
  return tx.rows<HolderRow>(sql`
    ${withWallets(key, block)}
    where holders.address > ${after} order by holders.address limit ${limit}::bigint`)
}

/** All addresses that ever held units up to this block, with their units after it. */
export async function selectAllTimeHolders(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  block: bigint,
): Promise<{ address: Address; units: bigint }[]> {
  const rows = await tx.rows<{ address: Address; units: string }>(sql`
    select address, sum(units)::text as units
    from (
      select to_address as address, units, block_number from cell.token_log
      where token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and kind = 'transfer'
        and applied_at is not null and to_address <> ${zero}
      union all
      select from_address, -units, block_number from cell.token_log
      where token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and kind = 'transfer'
        and applied_at is not null and from_address is not null
    ) moves
    where block_number <= ${String(block)}::bigint
    group by address order by address`)
  return rows.map(({ address, units }) => ({ address, units: BigInt(units) }))
}

/** The last finalized block that the indexer has read; undefined if the offering does not exist. */
export async function findFinalizedBlock(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
): Promise<{ block: bigint | null } | undefined> {
  const found = await tx.row<{ block: string | null }>(sql`
    select chain_cursor.finalized_number as block from cell.offering
    left join cell.chain_cursor on chain_cursor.chain = offering.blockchain
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
  return found && { block: found.block === null ? null : BigInt(found.block) }
}
