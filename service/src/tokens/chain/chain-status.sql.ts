import type pg from 'pg'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Block } from './chain.ts'

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

export interface ChainStatusRow {
  chain: string
  headNumber: string | null
  headAt: Date | null
  finalizedNumber: string | null
  problem: string | null
  checkedAt: Date | null
  indexedNumber: string | null
  indexedAt: Date | null
  indexedFinalizedNumber: string | null
  indexedFinalizedAt: Date | null
  indexerMovedAt: Date | null
}

/** Selects the chains that workers or the indexer of this cell have read. */
export function selectChainStatuses(tx: Transaction): Promise<ChainStatusRow[]> {
  return tx.rows<ChainStatusRow>(sql`
    select coalesce(chain_status.chain, chain_cursor.chain) as chain, chain_status.head_number as "headNumber",
           chain_status.head_at as "headAt", chain_status.finalized_number as "finalizedNumber", chain_status.problem,
           chain_status.checked_at as "checkedAt", chain_cursor.head_number as "indexedNumber",
           indexed.timestamp as "indexedAt", chain_cursor.finalized_number as "indexedFinalizedNumber",
           final.timestamp as "indexedFinalizedAt", chain_cursor.changed_at as "indexerMovedAt"
    from cell.chain_status
    full join cell.chain_cursor on chain_cursor.chain = chain_status.chain
    left join cell.chain_block indexed on indexed.chain = chain_cursor.chain
      and indexed.number = chain_cursor.head_number
    left join cell.chain_block final on final.chain = chain_cursor.chain
      and final.number = chain_cursor.finalized_number
    order by 1 limit 100`)
}
