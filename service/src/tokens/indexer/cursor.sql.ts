import type pg from 'pg'
import type { Hash } from 'viem'
import { OwnError } from '../../platform/base/log.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

/** How far a chain has been read. Whoever moves it says where it was, so that of two only one does. */
export interface Cursor {
  readonly chain: string
  readonly head: bigint
  readonly headHash: Hash
  /** The last block that can no longer vanish, as far as we have read. */
  readonly finalized: bigint
  /** How many tokens have joined, for the same reason. */
  readonly joined: bigint
}

/** A block that we have read: those above finality, and the final one that they stand on. */
export interface KnownBlock {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
}

interface CursorRow {
  head: string
  headHash: Hash
  finalized: string
  joined: string
}

export async function findCursor(pool: pg.Pool, chain: string): Promise<Cursor | undefined> {
  const { rows } = await pool.query<CursorRow>({
    name: 'find-cursor',
    text: `select head_number as head, head_hash as "headHash", finalized_number as finalized, joined_count as joined
           from cell.chain_cursor where chain = $1`,
    values: [chain],
  })
  const [row] = rows
  return row && cursorOf(chain, row)
}

function cursorOf(chain: string, { head, headHash, finalized, joined }: CursorRow): Cursor {
  return { chain, head: BigInt(head), headHash, finalized: BigInt(finalized), joined: BigInt(joined) }
}

/** Begins at a block that is final; what is older is the history of each token. */
export async function insertCursor(pool: pg.Pool, chain: string, { number, hash, parentHash }: KnownBlock) {
  await pool.query({
    name: 'insert-cursor',
    text: `with added as (
             insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number) values ($1, $2, $3, $2)
             on conflict do nothing returning chain
           )
           insert into cell.chain_block (chain, number, hash, parent_hash) select chain, $2, $3, $4 from added`,
    values: [chain, number, hash, parentHash],
  })
}

export async function listKnownBlocks(pool: pg.Pool, chain: string): Promise<KnownBlock[]> {
  const { rows } = await pool.query<{ number: string; hash: Hash; parentHash: Hash }>({
    name: 'list-known-blocks',
    text: `select number, hash, parent_hash as "parentHash" from cell.chain_block where chain = $1 order by number`,
    values: [chain],
  })
  return rows.map(({ number, ...hashes }) => ({ number: BigInt(number), ...hashes }))
}

// Writers of a tenant hold it shared until they commit, and look where the cursor is; who moves the cursor holds it
// alone. So nothing is written on the ground of a cursor that has moved.
const turn = `
  turn as materialized (select pg_advisory_xact_lock(hashtextextended('cell.chain_cursor ' || $1::text, 0)))`

/**
 * Moves the cursor to a block that has been read, or only its finality. Undefined where it is no longer where it was.
 * Blocks behind the last final one are forgotten, so what was shown of them must be settled before.
 */
export async function advanceIndexerCursor(
  pool: pg.Pool,
  from: Cursor,
  { number, hash, parentHash }: KnownBlock,
  finalized: bigint,
): Promise<Cursor | undefined> {
  const { rowCount } = await pool.query({
    name: 'move-cursor',
    text: `with ${turn}, moved as (
             update cell.chain_cursor
             set head_number = $4, head_hash = $5, finalized_number = $7, changed_at = clock_timestamp()
             from turn
             where chain = $1 and head_hash = $2 and joined_count = $3 and finalized_number = $8
             returning chain
           ), forgotten as (
             delete from cell.chain_block using moved where chain_block.chain = moved.chain and number < $7
           ), known as (
             insert into cell.chain_block (chain, number, hash, parent_hash) select chain, $4, $5, $6 from moved
             on conflict do nothing
           )
           select from moved`,
    values: [from.chain, from.headHash, from.joined, number, hash, parentHash, finalized, from.finalized],
  })
  return rowCount === 1 ? { ...from, head: number, headHash: hash, finalized } : undefined
}

/** Back to the block that the chain still has. False where somebody else has moved the cursor meanwhile. */
export async function cutCursor(pool: pg.Pool, from: Cursor, to: KnownBlock): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'cut-cursor',
    text: `with ${turn}, cut as (
             update cell.chain_cursor set head_number = $3, head_hash = $4, changed_at = clock_timestamp()
             from turn where chain = $1 and head_hash = $2 and finalized_number = $5 and $5 <= $3
             returning chain
           ), gone as (
             delete from cell.chain_block using cut where chain_block.chain = cut.chain and number > $3
           )
           select from cut`,
    values: [from.chain, from.headHash, to.number, to.hash, from.finalized],
  })
  return rowCount === 1
}

/** The cursor is not where the work began: somebody else has gone on. Nothing was written, and nothing is lost. */
export class CursorMoved extends OwnError {
  override readonly name = 'CursorMoved'
}

/**
 * Until the end of this transaction the cursor stays where it is, and nobody else writes what the chain says of this
 * tenant.
 */
export async function lockIndexerCursor(tx: Transaction, tenantId: string, cursor: Cursor): Promise<void> {
  const { chain, headHash, finalized } = cursor
  const [, , here] = await Promise.all([
    tx.rows(sql`select pg_advisory_xact_lock_shared(hashtextextended('cell.chain_cursor ' || ${chain}::text, 0))`),
    tx.rows(
      sql`select pg_advisory_xact_lock(hashtextextended('cell.token_log ' || ${chain}::text || ${tenantId}::text, 0))`,
    ),
    tx.row(sql`
      select from cell.chain_cursor
      where chain = ${chain} and head_hash = ${headHash} and finalized_number = ${finalized}`),
  ])
  if (!here) throw new CursorMoved('The cursor of the chain has moved.')
}
