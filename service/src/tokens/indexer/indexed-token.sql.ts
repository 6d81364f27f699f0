import type pg from 'pg'
import type { Address } from 'viem'
import { acrossTenants, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { IndexerCursor } from './cursor.sql.ts'

/** A token to index, its tenant, and the desk that mints it. Addresses are in lower case, as in logs. */
export interface IndexedToken {
  readonly tenantId: string
  readonly offeringId: string
  readonly token: Address
  readonly desk: Address | ''
  readonly isBackfilled: boolean
  /** The last block of the backfill so far; null before it starts. */
  readonly backfilledTo: bigint | null
  /** True if a block could not be read, so that the token was set aside. */
  readonly isUnreadable: boolean
  /** True if its register is marked as complete up to an earlier block only. */
  readonly isLimited: boolean
  /** True if operators know that it cannot be read. */
  readonly isReported: boolean
  /** True if it has been unreadable for longer than receipts take. */
  readonly isOverdue: boolean
}

/**
 * Selects the tokens of all tenants. The worker's role sees no more of offerings and signers than these columns. Tokens
 * of drafts are left out: logs and the register belong to an offering, so the holders of a token that an operator
 * replaces before the offering opens would stay in its register. Once it is open, its token never changes and is
 * backfilled.
 */
export async function selectIndexedTokens(pool: pg.Pool, chain: string): Promise<IndexedToken[]> {
  type Row = Omit<IndexedToken, 'backfilledTo'> & { backfilledTo: string | null }
  const rows = await acrossTenants(pool).rows<Row>(sql`
    select offering.tenant_id as "tenantId", offering.id as "offeringId", lower(offering.token_address) as token,
           coalesce(lower(chain_signer.desk_address), '') as desk,
           coalesce(indexed_token.is_backfilled, false) as "isBackfilled",
           indexed_token.backfilled_to as "backfilledTo",
           indexed_token.unreadable_since is not null as "isUnreadable",
           offering.token_read_to is not null as "isLimited",
           offering.token_unreadable_since is not null as "isReported",
           coalesce(indexed_token.unreadable_since < now() - interval '30 seconds', false) as "isOverdue"
    from cell.offering
    left join cell.chain_signer
      on chain_signer.tenant_id = offering.tenant_id and chain_signer.chain = offering.blockchain
    left join cell.indexed_token
      on indexed_token.chain = offering.blockchain
      and indexed_token.token_address = lower(offering.token_address)
      and indexed_token.desk_address = coalesce(lower(chain_signer.desk_address), '')
    where offering.blockchain = ${chain} and offering.token_address is not null and offering.status <> 'DRAFT'`)
  return rows.map((row) => ({ ...row, backfilledTo: row.backfilledTo === null ? null : BigInt(row.backfilledTo) }))
}

/**
 * Resets the progress of drafts. Earlier releases indexed them and stored their progress. Their tokens have not been
 * read since then, so the backfill would skip these blocks once the offering opens.
 */
export async function resetProgressOfDrafts(pool: pg.Pool, chain: string): Promise<void> {
  await acrossTenants(pool).rows(sql`
    update cell.indexed_token set is_backfilled = false, backfilled_to = -1
    from cell.offering
    where offering.status = 'DRAFT' and offering.blockchain = ${chain} and indexed_token.chain = ${chain}
      and indexed_token.token_address = lower(offering.token_address)
      and (indexed_token.is_backfilled or indexed_token.backfilled_to > -1)`)
}

/** Builds a table of these tokens, named `given`. */
export function givenTokens(tokens: readonly IndexedToken[]): Sql {
  return sql`
    unnest(${tokens.map(({ token }) => token)}::text[], ${tokens.map(({ desk }) => desk)}::text[]) given (token, desk)`
}

/** Counts a backfill unless the cursor has moved, so that no process that reads other tokens can move it. */
export const countBackfill = ({ chain, headHash, backfills, finalized }: IndexerCursor) => sql`
  update cell.chain_cursor set backfill_count = backfill_count + 1
  where chain = ${chain} and head_hash = ${headHash} and backfill_count = ${backfills}
    and finalized_number = ${finalized}
  returning chain`

/** Records progress, so that a restart resumes the backfill after this block. */
export async function recordBackfillProgress(
  pool: pg.Pool,
  chain: string,
  tokens: readonly IndexedToken[],
  block: bigint,
): Promise<void> {
  await acrossTenants(pool).rows(sql`
    insert into cell.indexed_token (chain, token_address, desk_address, backfilled_to)
    select ${chain}::text, token, desk, ${block}::bigint from ${givenTokens(tokens)}
    on conflict (chain, token_address, desk_address)
    do update set backfilled_to = greatest(indexed_token.backfilled_to, excluded.backfilled_to)`)
}

/** Starts to read these tokens block by block. Returns false if the cursor moved and there is more to backfill. */
export async function completeBackfill(
  pool: pg.Pool,
  cursor: IndexerCursor,
  tokens: readonly IndexedToken[],
): Promise<boolean> {
  const completed = await acrossTenants(pool).rows(sql`
    with counted as (${countBackfill(cursor)})
    update cell.indexed_token set is_backfilled = true, unreadable_since = null
    from counted, ${givenTokens(tokens)}
    where indexed_token.chain = counted.chain and token_address = given.token and desk_address = given.desk
    returning token_address`)
  return completed.length === tokens.length
}

/** A block with unapplied logs of a tenant. */
export interface UnappliedBlock {
  readonly tenantId: string
  readonly number: bigint
  readonly hash: string
}

export async function selectUnappliedBlocks(
  pool: pg.Pool,
  chain: string,
  { from, to }: { from: bigint; to: bigint },
): Promise<UnappliedBlock[]> {
  const rows = await acrossTenants(pool).rows<{ tenantId: string; number: string; hash: string }>(sql`
    select distinct tenant_id as "tenantId", block_number as number, block_hash as hash from cell.token_log
    where applied_at is null and chain = ${chain} and block_number between ${from} and ${to} order by block_number`)
  return rows.map((row) => ({ ...row, number: BigInt(row.number) }))
}
