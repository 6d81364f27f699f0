import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainOpKey, ChainOpKind, ChainOpState } from './chain-op.sql.ts'

/** Rows are named as the contract names them. */
export interface ChainOpRow {
  id: string
  blockchain: string
  kind: ChainOpKind
  state: ChainOpState
  offering_id: string | null
  depends_on: string | null
  to_address: string
  nonce: string | null
  mined_hash: string | null
  mined_block: string | null
  failure: string | null
  is_cancelling: boolean
  is_bumping: boolean
  created_at: Date
  changed_at: Date
}

export interface AttemptRow {
  hash: string
  attempt: number
  max_fee_per_gas: string | null
  max_priority_fee_per_gas: string | null
  is_cancellation: boolean
  is_foreign: boolean
  created_at: Date
}

export interface ChainOpFilter {
  state?: string | undefined
  kind?: string | undefined
  offering_id?: string | undefined
}

const columns = sql`
  id, chain as blockchain, kind, state, offering_id, depends_on, to_address, nonce, mined_hash, mined_block, failure,
  is_cancelling, is_bumping, created_at, changed_at`

function matching(tenantId: string, { state, kind, offering_id }: ChainOpFilter): Sql {
  return sql`
    tenant_id = ${tenantId}
    and (${state ?? null}::text is null or state = ${state ?? null})
    and (${kind ?? null}::text is null or kind = ${kind ?? null})
    and (${offering_id ?? null}::uuid is null or offering_id = ${offering_id ?? null})`
}

export async function countChainOps(tx: Transaction, tenantId: string, filter: ChainOpFilter): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.chain_op where ${matching(tenantId, filter)}`)
  return found?.count ?? 0
}

export function selectChainOps(
  tx: Transaction,
  tenantId: string,
  filter: ChainOpFilter,
  page: Page,
): Promise<ChainOpRow[]> {
  return tx.rows<ChainOpRow>(sql`
    select ${columns} from cell.chain_op where ${matching(tenantId, filter)} ${filteredCut(sql`id`, page)}`)
}

export function findChainOp(tx: Transaction, { tenantId, opId }: ChainOpKey): Promise<ChainOpRow | undefined> {
  return tx.row<ChainOpRow>(sql`
    select ${columns} from cell.chain_op where tenant_id = ${tenantId} and id = ${opId}`)
}

export function listAttemptRows(tx: Transaction, { tenantId, opId }: ChainOpKey): Promise<AttemptRow[]> {
  return tx.rows<AttemptRow>(sql`
    select hash, attempt, max_fee_per_gas::text as max_fee_per_gas,
           max_priority_fee_per_gas::text as max_priority_fee_per_gas, is_cancellation, is_foreign, created_at
    from cell.chain_tx where tenant_id = ${tenantId} and op_id = ${opId} order by attempt`)
}
