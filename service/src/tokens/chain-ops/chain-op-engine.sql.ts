import type pg from 'pg'
import { acrossTenants, raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Call } from '../chain/chain.ts'
import { type ChainOp, type ChainOpKey, chainOpColumns, parseChainOp, type RawChainOp } from './chain-op.sql.ts'
import type { ChainOpState } from './chain-op.ts'

export interface DueOp extends ChainOpKey {
  chain: string
}

const dueOps = (chains: readonly string[], now: Sql) => sql`
  from cell.chain_op
  where state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED') and next_check_at <= ${now}
    and chain = any (${chains}::text[])`

/** True if a chain op of a cell is due, by the clock of the database. */
export const areOpsDue = (chains: readonly string[]) => sql`exists (select ${dueOps(chains, sql`now()`)})`

/** Maximum number of due ops among which tenants take turns. Sorting them takes a few milliseconds. */
const consideredMax = 5_000

/**
 * Selects due ops of all tenants of a cell on these chains, the oldest of each tenant first: hundreds of mints of one
 * tenant delay another tenant's mint by only one. Runs with the worker's role.
 */
export function selectDueOps(cell: pg.Pool, chains: readonly string[], now: Date, limit: number) {
  return acrossTenants(cell).rows<DueOp>(sql`
    select tenant_id as "tenantId", id as "opId", chain
    from (select tenant_id, id, chain, next_check_at,
                 row_number() over (partition by tenant_id order by next_check_at) as turn
          from (select tenant_id, id, chain, next_check_at ${dueOps(chains, sql`${now}`)}
                order by next_check_at limit ${raw(String(consideredMax))}) oldest) due
    order by turn, next_check_at limit ${limit}`)
}

/**
 * Leases a due op until the given time. Returns undefined if another process has leased it. If this process dies, the
 * lease expires and another one continues. If this process is merely slow, its next step fails, because every step is a
 * compare-and-set.
 */
export async function leaseOp(
  tx: Transaction,
  { tenantId, opId }: ChainOpKey,
  now: Date,
  until: Date,
): Promise<ChainOp | undefined> {
  const row = await tx.row<RawChainOp>(sql`
    update cell.chain_op set next_check_at = ${until}
    where tenant_id = ${tenantId} and id = ${opId} and next_check_at <= ${now}
      and state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED')
    returning ${chainOpColumns}`)
  return row && parseChainOp(row)
}

/** Moves an op to its next state (compare-and-set). Returns undefined if another process has moved it meanwhile. */
export async function moveOp(
  tx: Transaction,
  from: ChainOpState,
  op: ChainOp,
  nextCheckAt: Date,
): Promise<ChainOp | undefined> {
  const row = await tx.row<RawChainOp>(sql`
    update cell.chain_op
    set state = ${op.state}, nonce = ${op.nonce}, gas = ${op.gas === null ? null : String(op.gas)},
        mined_hash = ${op.minedHash}, mined_block = ${op.minedBlock === null ? null : String(op.minedBlock)},
        mined_block_hash = ${op.minedBlockHash}, failure = ${op.failure}, next_check_at = ${nextCheckAt},
        changed_at = clock_timestamp()
    where tenant_id = ${op.tenantId} and id = ${op.id} and state = ${from}
    returning ${chainOpColumns}`)
  return row && parseChainOp(row)
}

/** Replaces the call of a QUEUED op, of which nothing is signed yet. The caller has locked it. */
export async function updateCall(tx: Transaction, { tenantId, id }: ChainOp, { to, data }: Call): Promise<void> {
  await tx.rows(sql`
    update cell.chain_op set to_address = ${to}, data = ${data} where tenant_id = ${tenantId} and id = ${id}`)
}

export async function postponeOp(tx: Transaction, { tenantId, id }: ChainOp, nextCheckAt: Date): Promise<void> {
  await tx.rows(
    sql`update cell.chain_op set next_check_at = ${nextCheckAt} where tenant_id = ${tenantId} and id = ${id}`,
  )
}

/** Postpones an op that waits for its dependency, unless the dependency has left the given state. */
export async function postponeDependent(
  tx: Transaction,
  { tenantId, id }: ChainOp,
  { id: dependencyId, state }: ChainOp,
  { now, nextCheckAt }: { now: Date; nextCheckAt: Date },
): Promise<void> {
  await tx.rows(sql`
    update cell.chain_op
    set next_check_at = case when exists (
      select from cell.chain_op dependency
      where dependency.tenant_id = ${tenantId} and dependency.id = ${dependencyId} and dependency.state = ${state}
    ) then ${nextCheckAt}::timestamptz else ${now}::timestamptz end
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** Makes the ops due that may be sent now. Ending a lease early is harmless: steps compare and set. */
export async function makeDependentsDue(tx: Transaction, { tenantId, id }: ChainOp, now: Date): Promise<void> {
  await tx.rows(sql`
    update cell.chain_op set next_check_at = ${now}
    where tenant_id = ${tenantId} and depends_on = ${id} and state = 'QUEUED' and next_check_at > ${now}`)
}

/** Ends the request for a higher fee, which was applied or is not possible. */
export async function clearFeeIncrease(tx: Transaction, { tenantId, id }: ChainOp): Promise<void> {
  await tx.rows(sql`update cell.chain_op set is_bumping = false where tenant_id = ${tenantId} and id = ${id}`)
}

export async function markCancelling(tx: Transaction, { tenantId, id }: ChainOp): Promise<void> {
  await tx.rows(sql`update cell.chain_op set is_cancelling = true where tenant_id = ${tenantId} and id = ${id}`)
}
