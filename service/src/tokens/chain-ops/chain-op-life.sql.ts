import type pg from 'pg'
import type { Hash, Hex } from 'viem'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Fees } from '../chain/chain.ts'
import type { ChainOp, ChainOpKey, ChainOpState } from './chain-op.sql.ts'

const columns: Sql = sql`
  tenant_id as "tenantId", id, chain, kind, to_address as "to", data, offering_id as "offeringId",
  depends_on as "dependsOn", state, nonce::int8 as nonce, gas, mined_hash as "minedHash", mined_block as "minedBlock",
  mined_block_hash as "minedBlockHash", failure, is_cancelling as "isCancelling", is_bumping as "isBumping"`

type Row = Omit<ChainOp, 'nonce' | 'gas' | 'minedBlock'> & {
  nonce: string | null
  gas: string | null
  minedBlock: string | null
}

function opOf({ nonce, gas, minedBlock, ...rest }: Row): ChainOp {
  return {
    ...rest,
    nonce: nonce === null ? null : Number(nonce),
    gas: gas === null ? null : BigInt(gas),
    minedBlock: minedBlock === null ? null : BigInt(minedBlock),
  }
}

/** What is to be looked at now, in all tenants of a cell, on these chains. As the worker's role. */
export async function listDueOps(cell: pg.Pool, chains: string[], now: Date, limit: number): Promise<ChainOpKey[]> {
  const { rows } = await cell.query<ChainOpKey>({
    name: 'due-chain-ops',
    text: `select tenant_id as "tenantId", id as "opId" from cell.chain_op
           where state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED') and look_at <= $1 and chain = any ($2)
           order by look_at limit $3`,
    values: [now, chains, limit],
  })
  return rows
}

/**
 * Takes an op that is due for so long, or nothing where another process was first. Who dies with it loses it to the
 * others then; who is merely slow finds out at the next step, since every step is a compare-and-set.
 */
export async function leaseOp(
  tx: Transaction,
  { tenantId, opId }: ChainOpKey,
  now: Date,
  until: Date,
): Promise<ChainOp | undefined> {
  const row = await tx.row<Row>(sql`
    update cell.chain_op set look_at = ${until}
    where tenant_id = ${tenantId} and id = ${opId} and look_at <= ${now}
      and state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED')
    returning ${columns}`)
  return row && opOf(row)
}

export async function findOp(tx: Transaction, { tenantId, opId }: ChainOpKey): Promise<ChainOp | undefined> {
  const row = await tx.row<Row>(
    sql`select ${columns} from cell.chain_op where tenant_id = ${tenantId} and id = ${opId}`,
  )
  return row && opOf(row)
}

/** The op as it is now, held until the end of the transaction. */
export async function lockOp(tx: Transaction, { tenantId, opId }: ChainOpKey): Promise<ChainOp | undefined> {
  const row = await tx.row<Row>(sql`
    select ${columns} from cell.chain_op where tenant_id = ${tenantId} and id = ${opId} for update`)
  return row && opOf(row)
}

/** The next state of an op that is still in the one it was; undefined where another process has moved it meanwhile. */
export async function moveOp(
  tx: Transaction,
  from: ChainOpState,
  op: ChainOp,
  lookAt: Date,
): Promise<ChainOp | undefined> {
  const row = await tx.row<Row>(sql`
    update cell.chain_op
    set state = ${op.state}, nonce = ${op.nonce}, gas = ${op.gas === null ? null : String(op.gas)},
        mined_hash = ${op.minedHash}, mined_block = ${op.minedBlock === null ? null : String(op.minedBlock)},
        mined_block_hash = ${op.minedBlockHash}, failure = ${op.failure}, look_at = ${lookAt},
        changed_at = clock_timestamp()
    where tenant_id = ${op.tenantId} and id = ${op.id} and state = ${from}
    returning ${columns}`)
  return row && opOf(row)
}

export async function postponeOp(tx: Transaction, { tenantId, id }: ChainOp, lookAt: Date): Promise<void> {
  await tx.rows(sql`update cell.chain_op set look_at = ${lookAt} where tenant_id = ${tenantId} and id = ${id}`)
}

/** One attempt at an op that we have signed. */
export interface TransactionAttempt extends Fees {
  hash: Hash
  raw: Hex
  attempt: number
  /** Uses the number for nothing, so that the op never happens. */
  isCancellation: boolean
  createdAt: Date
}

/** Everything that may have done what an op asks for. */
export interface Attempts {
  own: TransactionAttempt[]
  /** Sent by somebody else. */
  foreign: Hash[]
  /** The number of the next one. */
  next: number
}

type AttemptRow = Pick<TransactionAttempt, 'hash' | 'attempt' | 'isCancellation' | 'createdAt'> &
  ({ raw: Hex; maxFee: string; priorityFee: string } | { raw: null; maxFee: null; priorityFee: null })

export async function listAttempts(tx: Transaction, { tenantId, id }: ChainOp): Promise<Attempts> {
  const rows = await tx.rows<AttemptRow>(sql`
    select hash, raw, attempt, is_cancellation as "isCancellation", created_at as "createdAt",
           max_fee_per_gas::text as "maxFee", max_priority_fee_per_gas::text as "priorityFee"
    from cell.chain_tx where tenant_id = ${tenantId} and op_id = ${id} order by attempt`)
  const own = rows.flatMap(({ raw, maxFee, priorityFee, ...rest }) =>
    raw === null ? [] : [{ ...rest, raw, maxFeePerGas: BigInt(maxFee), maxPriorityFeePerGas: BigInt(priorityFee) }],
  )
  const foreign = rows.filter(({ raw }) => raw === null).map(({ hash }) => hash)
  return { own, foreign, next: (rows.at(-1)?.attempt ?? 0) + 1 }
}

/**
 * False where another process has stored this attempt meanwhile; ours must then not leave. Whoever wanted a higher fee
 * has it with this.
 */
export async function insertAttempt(
  tx: Transaction,
  op: ChainOp,
  attempt: Omit<TransactionAttempt, 'createdAt'>,
): Promise<boolean> {
  const { tenantId, id } = op
  const [inserted] = await Promise.all([
    tx.row(sql`
      insert into cell.chain_tx (tenant_id, hash, op_id, attempt, raw, max_fee_per_gas, max_priority_fee_per_gas,
                                 is_cancellation)
      values (${tenantId}, ${attempt.hash}, ${id}, ${attempt.attempt}, ${attempt.raw}, ${String(attempt.maxFeePerGas)},
              ${String(attempt.maxPriorityFeePerGas)}, ${attempt.isCancellation})
      on conflict do nothing
      returning hash`),
    op.isBumping ? markBumped(tx, op) : undefined,
  ])
  return inserted !== undefined
}

export async function markBumped(tx: Transaction, { tenantId, id }: ChainOp): Promise<void> {
  await tx.rows(sql`update cell.chain_op set is_bumping = false where tenant_id = ${tenantId} and id = ${id}`)
}

/** From now on its number is to be used for nothing. */
export async function markCancelling(tx: Transaction, { tenantId, id }: ChainOp): Promise<void> {
  await tx.rows(sql`update cell.chain_op set is_cancelling = true where tenant_id = ${tenantId} and id = ${id}`)
}
