import type { Address, Hash } from 'viem'
import { newRowId } from '../../platform/base/ids.ts'
import { join, raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** The tenant and chain of logs. */
export interface LogOwner {
  readonly tenantId: string
  readonly chain: string
}

/** A transfer of a token, the order of a mint, or a change of frozen units, as read from the chain. */
export interface TokenLog {
  readonly blockHash: Hash
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockTimestamp: Date
  readonly transactionHash: Hash
  readonly offeringId: string
  readonly kind: 'transfer' | 'order_minted' | 'frozen'
  /** Null for a mint. */
  readonly from: Address | null
  /** The zero address for a burn; the holder for a Frozen log. */
  readonly to: Address
  readonly units: bigint
  readonly orderId: string | null
}

/** Builds a table of these logs, named `given`. Each of `newIds` is a further column, with an id for each log. */
export function givenLogs(logs: readonly TokenLog[], ...newIds: readonly string[]): Sql {
  const ids = newIds.map(() => sql`, ${logs.map(() => newRowId())}::uuid[]`)
  return sql`
    unnest(${logs.map((log) => log.blockHash)}::text[], ${logs.map((log) => log.logIndex)}::integer[],
           ${logs.map((log) => log.blockNumber)}::bigint[], ${logs.map((log) => log.blockTimestamp)}::timestamptz[],
           ${logs.map((log) => log.transactionHash)}::text[], ${logs.map((log) => log.offeringId)}::uuid[],
           ${logs.map((log) => log.kind)}::text[], ${logs.map((log) => log.from)}::text[],
           ${logs.map((log) => log.to)}::text[], ${logs.map((log) => log.units)}::numeric[],
           ${logs.map((log) => log.orderId)}::uuid[] ${ids.length > 0 ? join(ids, '') : sql``})
      as given (block_hash, log_index, block_number, block_timestamp, transaction_hash, offering_id, kind,
                from_address, to_address, units, order_id ${raw(newIds.map((name) => `, ${name}`).join(''))})`
}

/** Returns the logs that did not exist. With `isApplied` they are marked as applied; the caller then applies them. */
export async function insertLogs(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  logs: readonly TokenLog[],
  isApplied: boolean,
): Promise<TokenLog[]> {
  const inserted = await tx.rows<{ blockHash: Hash; logIndex: number }>(sql`
    insert into cell.token_log (tenant_id, chain, block_hash, log_index, block_number, block_timestamp,
                                transaction_hash, offering_id, kind, from_address, to_address, units, order_id,
                                applied_at)
    select ${tenantId}::uuid, ${chain}::text, given.*, case when ${isApplied}::boolean then clock_timestamp() end
    from ${givenLogs(logs)}
    on conflict do nothing
    returning block_hash as "blockHash", log_index as "logIndex"`)
  if (inserted.length === logs.length) return [...logs]
  const isNew = new Set(inserted.map(keyOf))
  return logs.filter((log) => isNew.has(keyOf(log)))
}

function keyOf({ blockHash, logIndex }: { blockHash: Hash; logIndex: number }): string {
  return `${blockHash} ${logIndex}`
}

/** Marks the logs of these blocks as applied and returns them, so that they are applied exactly once. */
export async function claimLogs(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  blockHashes: readonly string[],
): Promise<TokenLog[]> {
  const rows = await tx.rows<Omit<TokenLog, 'blockNumber' | 'units'> & { blockNumber: string; units: string }>(sql`
    update cell.token_log set applied_at = clock_timestamp()
    where tenant_id = ${tenantId} and chain = ${chain} and applied_at is null and block_hash = any (${blockHashes})
    returning block_hash as "blockHash", log_index as "logIndex", block_number as "blockNumber",
              block_timestamp as "blockTimestamp", transaction_hash as "transactionHash", offering_id as "offeringId",
              kind, from_address as "from", to_address as "to", units::text as units, order_id as "orderId"`)
  return rows.map((row) => ({ ...row, blockNumber: BigInt(row.blockNumber), units: BigInt(row.units) }))
}

/** Deletes the logs of orphaned blocks. Applied logs were finalized and are never deleted. */
export async function deleteLogs(tx: Transaction, { tenantId, chain }: LogOwner, blockHashes: readonly string[]) {
  await tx.rows(sql`
    delete from cell.token_log
    where tenant_id = ${tenantId} and chain = ${chain} and applied_at is null and block_hash = any (${blockHashes})`)
}

/** Selects the orders of these mints that are MINTED. No lock is needed, because MINTED is a final status. */
export async function selectMintedOrders(
  tx: Transaction,
  tenantId: string,
  mints: readonly TokenLog[],
): Promise<ReadonlySet<string | null>> {
  const rows = await tx.rows<{ id: string }>(sql`
    select token_order.id
    from unnest(${mints.map(({ orderId }) => orderId)}::uuid[], ${mints.map(({ offeringId }) => offeringId)}::uuid[])
      as mint (order_id, offering_id)
    join cell.token_order on token_order.tenant_id = ${tenantId} and token_order.id = mint.order_id
      and token_order.offering_id = mint.offering_id and token_order.status = 'MINTED'`)
  return new Set(rows.map(({ id }) => id))
}
