import type pg from 'pg'
import type { Hash } from 'viem'
import { LoggableError } from '../../platform/base/log.ts'
import { sql } from '../../platform/postgres/sql.ts'
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
  const { rows } = await pool.query<{ head: string; headHash: Hash; finalized: string; backfills: string }>({
    name: 'find-cursor',
    text: `select head_number as head, head_hash as "headHash", finalized_number as finalized,
                  backfill_count as backfills
           from cell.chain_cursor where chain = $1`,
    values: [chain],
  })
  const [row] = rows
  if (!row) return undefined
  const { head, headHash, finalized, backfills } = row
  return { chain, head: BigInt(head), headHash, finalized: BigInt(finalized), backfills: BigInt(backfills) }
}

/** Starts at a finalized block. The backfill of each token reads the blocks before it. */
export async function insertIndexerCursor(
  pool: pg.Pool,
  chain: string,
  { number, hash, parentHash, timestamp }: KnownBlock,
): Promise<void> {
  await pool.query({
    name: 'insert-cursor',
    text: `with added as (
             insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number) values ($1, $2, $3, $2)
             on conflict do nothing returning chain
           )
           insert into cell.chain_block (chain, number, hash, parent_hash, timestamp)
           select chain, $2, $3, $4, $5 from added`,
    values: [chain, number, hash, parentHash, timestamp],
  })
}

export async function selectKnownBlocks(pool: pg.Pool, chain: string): Promise<KnownBlock[]> {
  const { rows } = await pool.query<Omit<KnownBlock, 'number'> & { number: string }>({
    name: 'select-known-blocks',
    text: `select number, hash, parent_hash as "parentHash", timestamp
           from cell.chain_block where chain = $1 order by number`,
    values: [chain],
  })
  return rows.map(({ number, ...block }) => ({ number: BigInt(number), ...block }))
}

// Transactions that write logs of a tenant take this lock shared until they commit, and check the cursor under it; a
// cursor move takes it exclusively. So no transaction commits logs for a cursor that has moved.
const cursorLock = `
  locked as materialized (select pg_advisory_xact_lock(hashtextextended('cell.chain_cursor ' || $1::text, 0)))`

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
  const { rowCount } = await pool.query({
    name: 'advance-cursor',
    text: `with ${cursorLock}, moved as (
             update cell.chain_cursor
             set head_number = $4, head_hash = $5, finalized_number = $7, changed_at = clock_timestamp()
             from locked
             where chain = $1 and head_hash = $2 and backfill_count = $3 and finalized_number = $8
             returning chain
           ), deleted as (
             delete from cell.chain_block using moved where chain_block.chain = moved.chain and number < $7
           ), inserted as (
             insert into cell.chain_block (chain, number, hash, parent_hash, timestamp)
             select chain, $4, $5, $6, $9 from moved
             on conflict do nothing
           )
           select from moved`,
    values: [from.chain, from.headHash, from.backfills, number, hash, parentHash, finalized, from.finalized, timestamp],
  })
  return rowCount === 1 ? { ...from, head: number, headHash: hash, finalized } : undefined
}

/** Moves the cursor back, after a reorg, to a block on the chain. Returns false if another process moved it. */
export async function rewindIndexerCursor(pool: pg.Pool, from: IndexerCursor, to: KnownBlock): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'rewind-cursor',
    text: `with ${cursorLock}, rewound as (
             update cell.chain_cursor set head_number = $3, head_hash = $4, changed_at = clock_timestamp()
             from locked where chain = $1 and head_hash = $2 and finalized_number = $5 and $5 <= $3
             returning chain
           ), deleted as (
             delete from cell.chain_block using rewound where chain_block.chain = rewound.chain and number > $3
           )
           select from rewound`,
    values: [from.chain, from.headHash, to.number, to.hash, from.finalized],
  })
  return rowCount === 1
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
