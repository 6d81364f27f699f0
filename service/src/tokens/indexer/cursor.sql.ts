import type pg from 'pg'
import type { Hash } from 'viem'
import { LoggableError } from '../../platform/base/log.ts'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/**
 * Position up to which a chain has been read. Every move names the previous one, so only one of two processes succeeds.
 */
export interface IndexerCursor {
  readonly chain: string
  readonly head: bigint
  readonly headHash: Hash
  /** The last finalized block that has been applied. */
  readonly finalized: bigint
  /** Number of completed backfills. A move that started before a backfill completed fails. */
  readonly backfills: bigint
}

/** A block that has been read: the last finalized one and those above it. */
export interface KnownBlock {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestamp: Date
}

export async function findIndexerCursor(pool: pg.Pool, chain: string): Promise<IndexerCursor | undefined> {
  type Row = { head: string; headHash: Hash; finalized: string; backfills: string }
  const [row] = await acrossTenants(pool).rows<Row>(sql`
    select head_number as head, head_hash as "headHash", finalized_number as finalized, backfill_count as backfills
    from cell.chain_cursor where chain = ${chain}`)
  if (!row) return undefined
  const { head, headHash, finalized, backfills } = row
  return { chain, head: BigInt(head), headHash, finalized: BigInt(finalized), backfills: BigInt(backfills) }
}

/** Starts at a finalized block. The backfill of each token reads the blocks before it. */
export async function insertIndexerCursor(pool: pg.Pool, chain: string, block: KnownBlock): Promise<void> {
  const { number, hash, parentHash, timestamp } = block
  await acrossTenants(pool).rows(sql`
    with added as (
      insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number)
      values (${chain}, ${number}, ${hash}, ${number})
      on conflict do nothing returning chain
    )
    insert into cell.chain_block (chain, number, hash, parent_hash, timestamp)
    select chain, ${number}::bigint, ${hash}::text, ${parentHash}::text, ${timestamp}::timestamptz from added`)
}

export async function selectKnownBlocks(pool: pg.Pool, chain: string): Promise<KnownBlock[]> {
  const rows = await acrossTenants(pool).rows<Omit<KnownBlock, 'number'> & { number: string }>(sql`
    select number, hash, parent_hash as "parentHash", timestamp
    from cell.chain_block where chain = ${chain} order by number`)
  return rows.map(({ number, ...block }) => ({ number: BigInt(number), ...block }))
}

// Transactions that write logs of a tenant take this lock shared until they commit, and check the cursor under it; a
// cursor move takes it exclusively. So no transaction commits logs for a cursor that has moved.
const cursorLock = (chain: string) => sql`
  locked as materialized (select pg_advisory_xact_lock(hashtextextended('cell.chain_cursor ' || ${chain}::text, 0)))`

/**
 * Moves the cursor to a block that has been read, or only its finality. Returns undefined if another process moved it.
 * Deletes the known blocks below the last finalized one, so their logs must be applied before.
 */
export async function advanceIndexerCursor(
  pool: pg.Pool,
  from: IndexerCursor,
  { number, hash, parentHash, timestamp }: KnownBlock,
  finalized: bigint,
): Promise<IndexerCursor | undefined> {
  const moved = await acrossTenants(pool).rows(sql`
    with ${cursorLock(from.chain)}, moved as (
      update cell.chain_cursor
      set head_number = ${number}, head_hash = ${hash}, finalized_number = ${finalized}, changed_at = clock_timestamp()
      from locked
      where chain = ${from.chain} and head_hash = ${from.headHash} and backfill_count = ${from.backfills}
        and finalized_number = ${from.finalized}
      returning chain
    ), deleted as (
      delete from cell.chain_block using moved where chain_block.chain = moved.chain and number < ${finalized}
    ), inserted as (
      insert into cell.chain_block (chain, number, hash, parent_hash, timestamp)
      select chain, ${number}::bigint, ${hash}::text, ${parentHash}::text, ${timestamp}::timestamptz from moved
      on conflict do nothing
    )
    select from moved`)
  return moved.length === 1 ? { ...from, head: number, headHash: hash, finalized } : undefined
}

/** Moves the cursor back, after a reorg, to a block on the chain. Returns false if another process moved it. */
export async function rewindIndexerCursor(pool: pg.Pool, from: IndexerCursor, to: KnownBlock): Promise<boolean> {
  const rewound = await acrossTenants(pool).rows(sql`
    with ${cursorLock(from.chain)}, rewound as (
      update cell.chain_cursor set head_number = ${to.number}, head_hash = ${to.hash}, changed_at = clock_timestamp()
      from locked
      where chain = ${from.chain} and head_hash = ${from.headHash} and finalized_number = ${from.finalized}
        and finalized_number <= ${to.number}
      returning chain
    ), deleted as (
      delete from cell.chain_block using rewound where chain_block.chain = rewound.chain and number > ${to.number}
    )
    select from rewound`)
  return rewound.length === 1
}

/** Another process moved the cursor, or a reorg did. Nothing was written; the next run starts from the new cursor. */
export class CursorMoved extends LoggableError {
  override readonly name = 'CursorMoved'

  constructor(message = 'Another process has moved the cursor.') {
    super(message)
  }
}

/**
 * Locks the cursor: until this transaction ends, it cannot move and no other process writes logs of this tenant and
 * chain. Throws CursorMoved if the cursor is not at the expected position.
 */
export async function lockIndexerCursor(tx: Transaction, tenantId: string, cursor: IndexerCursor): Promise<void> {
  const { chain, headHash, finalized } = cursor
  const [, , current] = await tx.batch(
    (tx) =>
      tx.rows(sql`select pg_advisory_xact_lock_shared(hashtextextended('cell.chain_cursor ' || ${chain}::text, 0))`),
    (tx) =>
      tx.rows(sql`
        select pg_advisory_xact_lock(hashtextextended('cell.token_log ' || ${chain}::text || ${tenantId}::text, 0))`),
    (tx) =>
      tx.row(sql`
      select from cell.chain_cursor
      where chain = ${chain} and head_hash = ${headHash} and finalized_number = ${finalized}`),
  )
  if (!current) throw new CursorMoved()
}
