import type pg from 'pg'
import type { Address } from 'viem'
import type { Cursor } from './cursor.sql.ts'

/** A token that we listen to, whose it is, and the desk that mints it. Addresses in lower case, as logs have them. */
export interface ListenedToken {
  readonly tenantId: string
  readonly offeringId: string
  readonly token: Address
  readonly desk: Address | ''
  readonly hasJoined: boolean
  /** Where its history has been read to; null where nothing has been read. */
  readonly readUntil: bigint | null
}

/** Of all tenants of a cell, in which the worker sees no more of an offering and a signer than this. */
export async function selectIndexedTokens(pool: pg.Pool, chain: string): Promise<ListenedToken[]> {
  const { rows } = await pool.query<Omit<ListenedToken, 'readUntil'> & { readUntil: string | null }>({
    name: 'list-tokens',
    text: `select offering.tenant_id as "tenantId", offering.id as "offeringId",
                  lower(offering.token_address) as token, coalesce(lower(chain_signer.desk_address), '') as desk,
                  coalesce(indexed_token.has_joined, false) as "hasJoined", indexed_token.read_until as "readUntil"
           from cell.offering
           left join cell.chain_signer
             on chain_signer.tenant_id = offering.tenant_id and chain_signer.chain = offering.blockchain
           left join cell.indexed_token
             on indexed_token.chain = offering.blockchain
             and indexed_token.token_address = lower(offering.token_address)
             and indexed_token.desk_address = coalesce(lower(chain_signer.desk_address), '')
           where offering.blockchain = $1 and offering.token_address is not null`,
    values: [chain],
  })
  return rows.map((row) => ({ ...row, readUntil: row.readUntil === null ? null : BigInt(row.readUntil) }))
}

/** How far the history of these tokens has been read, so that a restart goes on from there. */
export async function recordReadUntil(
  pool: pg.Pool,
  chain: string,
  tokens: readonly ListenedToken[],
  until: bigint,
): Promise<void> {
  await pool.query({
    name: 'record-read-until',
    text: `insert into cell.indexed_token (chain, token_address, desk_address, read_until)
           select $1, token, desk, $4 from unnest($2::text[], $3::text[]) given (token, desk)
           on conflict (chain, token_address, desk_address)
           do update set read_until = greatest(indexed_token.read_until, excluded.read_until)`,
    values: [chain, tokens.map(({ token }) => token), tokens.map(({ desk }) => desk), until],
  })
}

/** From here on they are read block by block. False where the cursor has moved meanwhile and there is more to read. */
export async function joinTokens(pool: pg.Pool, cursor: Cursor, tokens: readonly ListenedToken[]): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'join-tokens',
    text: `with moved as (
             update cell.chain_cursor set joined_count = joined_count + 1
             where chain = $1 and head_hash = $2 and joined_count = $3 and finalized_number = $6 returning chain
           )
           update cell.indexed_token set has_joined = true
           from moved, unnest($4::text[], $5::text[]) given (token, desk)
           where indexed_token.chain = moved.chain and token_address = given.token and desk_address = given.desk`,
    values: [
      cursor.chain,
      cursor.headHash,
      cursor.joined,
      tokens.map(({ token }) => token),
      tokens.map(({ desk }) => desk),
      cursor.finalized,
    ],
  })
  return rowCount === tokens.length
}

/** A block in which a tenant has logs that are not applied. */
export interface PendingBlock {
  readonly tenantId: string
  readonly number: bigint
  readonly hash: string
}

export async function listPendingBlocks(
  pool: pg.Pool,
  chain: string,
  { from, to }: { from: bigint; to: bigint },
): Promise<PendingBlock[]> {
  const { rows } = await pool.query<{ tenantId: string; number: string; hash: string }>({
    name: 'list-pending-blocks',
    text: `select distinct tenant_id as "tenantId", block_number as number, block_hash as hash from cell.token_log
           where applied_at is null and chain = $1 and block_number between $2 and $3 order by block_number`,
    values: [chain, from, to],
  })
  return rows.map((row) => ({ ...row, number: BigInt(row.number) }))
}
