import type pg from 'pg'
import type { ApiRow } from '../../platform/api/declare/api-row.ts'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Block } from './chain.ts'
import type { ChainStatus } from './chain-status.schema.ts'

/** Stores a worker's view of a chain. If there is a problem, the figures of the last success stay. */
export async function storeChainStatus(
  cell: pg.Pool,
  chain: string,
  { head, finalized, problem }: { head?: Block; finalized?: bigint; problem?: string },
  now: Date,
): Promise<void> {
  await acrossTenants(cell).rows(sql`
    insert into cell.chain_status (chain, head_number, head_at, finalized_number, problem, checked_at)
    values (${chain}, ${head?.number}, ${head?.timestamp}, ${finalized}, ${problem?.slice(0, 500)}, ${now})
    on conflict (chain) do update
      set head_number = coalesce(excluded.head_number, chain_status.head_number),
          head_at = coalesce(excluded.head_at, chain_status.head_at),
          finalized_number = coalesce(excluded.finalized_number, chain_status.finalized_number),
          problem = excluded.problem, checked_at = excluded.checked_at`)
}

type Times = 'head_at' | 'checked_at' | 'indexed_at' | 'indexed_finalized_at' | 'indexer_moved_at'
export type ChainStatusRow = Omit<ApiRow<typeof ChainStatus, Times>, 'lag_blocks' | 'lag_seconds'>

/** Selects the chains that workers or the indexer of this cell have read. */
export function selectChainStatuses(tx: Transaction) {
  return tx.rows<ChainStatusRow>(sql`
    select coalesce(chain_status.chain, chain_cursor.chain) as chain, chain_status.head_number::float8 as head,
           chain_status.head_at, chain_status.finalized_number::float8 as finalized, chain_status.problem,
           chain_status.checked_at, chain_cursor.head_number::float8 as indexed, indexed.timestamp as indexed_at,
           chain_cursor.finalized_number::float8 as indexed_finalized, final.timestamp as indexed_finalized_at,
           chain_cursor.changed_at as indexer_moved_at
    from cell.chain_status
    full join cell.chain_cursor on chain_cursor.chain = chain_status.chain
    left join cell.chain_block indexed on indexed.chain = chain_cursor.chain
      and indexed.number = chain_cursor.head_number
    left join cell.chain_block final on final.chain = chain_cursor.chain
      and final.number = chain_cursor.finalized_number
    order by 1 limit 100`)
}
