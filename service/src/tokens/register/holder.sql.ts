import { type Address, zeroAddress } from 'viem'
import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { changesOfAddress, frozenUnits, heldSince, unitsAt } from './address-history.sql.ts'
import { isOfAccount } from './position.sql.ts'

export interface HolderRow {
  id: string
  sortKey: string | null
  address: Address
  units: string
  percent: string | null
  frozenUnits: string
  since: Date | null
  walletId: string | null
  accountId: string | null
  name: string | null
}

/** Block after which the register is read; null for the current register, which alone can use the stored sums. */
export type RegisterBlock = bigint | null

/**
 * Converts the address of a holding to the collation of the indexes of logs and wallets: with the register's own,
 * PostgreSQL would read the whole log for each address.
 */
function logAddress(address: Sql): Sql {
  return sql`${address} collate "default"`
}

/** Builds the register as `from … where …`, with the units as `${units}`. */
function registerOf({ tenantId, offeringId }: OfferingKey, block: RegisterBlock): { from: Sql; units: Sql } {
  const of = sql`holding.tenant_id = ${tenantId} and holding.offering_id = ${offeringId}`
  if (block === null)
    return { from: sql`from cell.holding where ${of} and holding.units > 0`, units: sql`holding.units` }
  const moved = unitsAt({ tenantId, offeringId }, logAddress(sql`holding.address`), block)
  return {
    from: sql`
      from cell.holding cross join lateral (${moved}) moved
      where ${of} and holding.address <> ${zeroAddress} and moved.units > 0`,
    units: sql`moved.units`,
  }
}

export function countHolders(tx: Transaction, key: OfferingKey, block: RegisterBlock): Promise<number> {
  return boundedCount(tx, registerOf(key, block).from)
}

/**
 * Selects a page of holders. Sorted by address, the register at a block reads only the history of the page's holders;
 * sorted by units, it reads everyone's history.
 */
export function selectHolders(
  tx: Transaction,
  key: OfferingKey,
  block: RegisterBlock,
  page: KeysetPage,
): Promise<HolderRow[]> {
  const { from, units } = registerOf(key, block)
  const unitsKey = block === null ? sql`holding.units_key` : sql`(lpad(${units}::text, 78, '0') collate "C")`
  const cut = keysetCut(sql`holding.id`, page, {
    units: { column: unitsKey, type: 'text' },
    address: { column: sql`holding.address`, type: 'text' },
  })
  const rows = sql`
    select holding.id, holding.address, ${units} as units, ${cut.column} ${from} and ${cut.where} ${cut.orderBy}`
  return tx.rows<HolderRow>(withDetails(key, block, rows, page.direction))
}

/** Selects the next page after an address, at a block. */
export function selectHoldersAfter(
  tx: Transaction,
  key: OfferingKey,
  block: bigint,
  { after, limit }: { after: string; limit: number },
): Promise<HolderRow[]> {
  const { from, units } = registerOf(key, block)
  const rows = sql`
    select holding.id, holding.address, ${units} as units, holding.address::text as "sortKey" ${from}
      and holding.address > ${after} order by holding.address limit ${limit}::bigint`
  return tx.rows<HolderRow>(withDetails(key, block, rows, 'asc'))
}

/** Selects the positions of one account after a block, including former ones that have no units now. */
export function selectPositions(
  tx: Transaction,
  key: OfferingKey,
  block: bigint,
  accountId: string,
): Promise<HolderRow[]> {
  const { tenantId, offeringId } = key
  const rows = sql`
    select holding.id, holding.address, moved.units, holding.address::text as "sortKey"
    from cell.holding cross join lateral (${unitsAt(key, logAddress(sql`holding.address`), block)}) moved
    where holding.tenant_id = ${tenantId} and holding.offering_id = ${offeringId} and ${isOfAccount(key, accountId)}
    order by holding.address`
  return tx.rows<HolderRow>(withDetails(key, block, rows, 'asc'))
}

/**
 * Adds to the rows of a page the names of the holders, their frozen units, and the time since which they have units.
 */
function withDetails(
  { tenantId, offeringId }: OfferingKey,
  block: RegisterBlock,
  rows: Sql,
  direction: 'asc' | 'desc',
): Sql {
  const key = { tenantId, offeringId }
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  const address = logAddress(sql`listed.address`)
  return sql`
    with supply as materialized (${supplyAt(key, block)})
    select listed.id, listed."sortKey", listed.address, listed.units::text as units,
           (select trim_scale(round(listed.units * 100 / nullif(supply.units, 0), 6))::text from supply) as percent,
           coalesce(frozen.units, 0)::text as "frozenUnits", history.since,
           wallet.id as "walletId", wallet.account_id as "accountId", account.full_name as name
    from (${rows}) listed
    join cell.offering on offering.tenant_id = ${tenantId} and offering.id = ${offeringId}
    left join cell.wallet on wallet.tenant_id = ${tenantId} and wallet.blockchain = offering.blockchain
      and wallet.public_address = ${address}
    left join cell.account on account.tenant_id = ${tenantId} and account.id = wallet.account_id
    left join lateral (${frozenUnits(key, address, block)}) frozen on true
    left join lateral (${heldSince(changesOfAddress(key, address, block))}) history on true
    order by listed."sortKey" ${order}, listed.id ${order}`
}

/** Sums the units of all holders. The zero address has their negative sum; later mints and burns are subtracted. */
function supplyAt({ tenantId, offeringId }: OfferingKey, block: RegisterBlock): Sql {
  const now = sql`
    select -holding.units as units from cell.holding
    where holding.tenant_id = ${tenantId} and holding.offering_id = ${offeringId} and holding.address = ${zeroAddress}`
  if (block === null) return now
  return sql`
    select supply.units - later.units as units
    from (${now}) supply
    cross join (
      select coalesce(sum(case when from_address is null then units else 0 end
                          - case when to_address = ${zeroAddress} then units else 0 end), 0) as units
      from cell.token_log
      where token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and kind = 'transfer'
        and applied_at is not null and block_number > ${String(block)}::bigint
    ) later`
}

/** Returns the units of all holders after a block. */
export async function findSupplyAt(tx: Transaction, key: OfferingKey, block: bigint): Promise<bigint> {
  const found = await tx.row<{ units: string | null }>(
    sql`select units::text as units from (${supplyAt(key, block)}) at`,
  )
  return BigInt(found?.units ?? 0)
}

export interface RegisteredHolder {
  address: string
  units: string
  /** Null if no account has proven that the address is its own. */
  accountId: string | null
  /** Country of the address in the account's profile. */
  country: string | null
}

/**
 * Selects the next addresses of the register after an address, with their units after a block, which may be 0. Uses the
 * collation of the log's indexes: with the register's own, PostgreSQL would read the whole log for each address.
 * Distributions pay by this register, so a wallet that was only registered names no account: anyone may claim an
 * address. A wallet is ACTIVE only after its proof, and SUSPENDED or INACTIVE only after that. Lists name the account
 * of any wallet, because an operator sees there that the wallet is not proven.
 */
export function selectRegisterAfter(
  tx: Transaction,
  key: OfferingKey,
  block: bigint,
  { after, limit }: { after: string; limit: number },
): Promise<RegisteredHolder[]> {
  const { tenantId, offeringId } = key
  return tx.rows<RegisteredHolder>(sql`
    select listed.address, moved.units::text as units, wallet.account_id as "accountId",
           account.profile ->> 'country' as country
    from (
      select holding.address collate "default" as address, holding.address as sorted from cell.holding
      where holding.tenant_id = ${tenantId} and holding.offering_id = ${offeringId}
        and holding.address <> ${zeroAddress} and holding.address > ${after}
      order by holding.address limit ${limit}::bigint
    ) listed
    cross join lateral (${unitsAt(key, sql`listed.address`, block)}) moved
    join cell.offering on offering.tenant_id = ${tenantId} and offering.id = ${offeringId}
    left join cell.wallet on wallet.tenant_id = ${tenantId} and wallet.blockchain = offering.blockchain
      and wallet.public_address = listed.address and wallet.status in ('ACTIVE', 'SUSPENDED', 'INACTIVE')
    left join cell.account on account.tenant_id = ${tenantId} and account.id = wallet.account_id
    order by listed.sorted`)
}

/** Selects all addresses that ever held units up to this block, with their units after it. */
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
        and applied_at is not null and to_address <> ${zeroAddress}
      union all
      select from_address, -units, block_number from cell.token_log
      where token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and kind = 'transfer'
        and applied_at is not null and from_address is not null
    ) moves
    where block_number <= ${String(block)}::bigint
    group by address order by address`)
  return rows.map(({ address, units }) => ({ address, units: BigInt(units) }))
}

/**
 * Finds the last finalized block up to which the register is complete, and its time; undefined if the offering does not
 * exist. If the token cannot be read, the block is the last one that was read, and the time is the time of the last
 * transfer.
 */
export async function findFinalizedBlock(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
): Promise<{ block: bigint | null; at: Date | null } | undefined> {
  const found = await tx.row<{ block: string | null; at: Date | null }>(sql`
    select case when offering.token_read_to is null then chain_cursor.finalized_number
                else nullif(least(offering.token_read_to, chain_cursor.finalized_number), -1) end as block,
           case when offering.token_read_to is null then chain_block.timestamp
                else (select max(block_timestamp) from cell.token_log
                      where token_log.tenant_id = offering.tenant_id and token_log.offering_id = offering.id
                        and applied_at is not null and block_number <= offering.token_read_to) end as at
    from cell.offering
    left join cell.chain_cursor on chain_cursor.chain = offering.blockchain
    left join cell.chain_block on chain_block.chain = chain_cursor.chain
      and chain_block.number = chain_cursor.finalized_number
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
  return found && { block: found.block === null ? null : BigInt(found.block), at: found.at }
}

/** Finds the last block at or before a time in which the token was moved; 0 if there is none. */
export async function findBlockAt(tx: Transaction, { tenantId, offeringId }: OfferingKey, at: string): Promise<bigint> {
  const found = await tx.row<{ block: string }>(sql`
    select block_number as block from cell.token_log
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and applied_at is not null
      and block_timestamp <= ${at}::timestamptz
    order by block_timestamp desc, block_number desc limit 1`)
  return BigInt(found?.block ?? 0)
}
