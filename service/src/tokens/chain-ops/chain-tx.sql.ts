import type { Hash, Hex } from 'viem'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { ChainOp, ChainOpKey } from './chain-op.sql.ts'
import { clearFeeIncrease } from './chain-op-engine.sql.ts'

/** One transaction that may execute an op. */
export interface ChainTx {
  hash: Hash
  /** Counts the attempts of an op from 1. */
  attempt: number
  /** Null, like the fees, for a foreign transaction. */
  raw: Hex | null
  maxFeePerGas: bigint | null
  maxPriorityFeePerGas: bigint | null
  /** True if it consumes the nonce with an empty transaction, so that the op's call never happens. */
  isCancellation: boolean
  /** True if it was sent from outside the service and attached by an operator. */
  isForeign: boolean
  createdAt: Date
}

type RawChainTx = Omit<ChainTx, 'maxFeePerGas' | 'maxPriorityFeePerGas'> & {
  maxFeePerGas: string | null
  maxPriorityFeePerGas: string | null
}

/** Selects all attempts of an op, oldest first. */
export async function selectAttempts(tx: Transaction, { tenantId, opId }: ChainOpKey): Promise<ChainTx[]> {
  const rows = await tx.rows<RawChainTx>(sql`
    select hash, attempt, raw, max_fee_per_gas::text as "maxFeePerGas",
           max_priority_fee_per_gas::text as "maxPriorityFeePerGas", is_cancellation as "isCancellation",
           is_foreign as "isForeign", created_at as "createdAt"
    from cell.chain_tx where tenant_id = ${tenantId} and op_id = ${opId} order by attempt`)
  return rows.map(({ maxFeePerGas, maxPriorityFeePerGas, ...rest }) => ({
    ...rest,
    maxFeePerGas: maxFeePerGas === null ? null : BigInt(maxFeePerGas),
    maxPriorityFeePerGas: maxPriorityFeePerGas === null ? null : BigInt(maxPriorityFeePerGas),
  }))
}

/** An attempt that this service signed. */
export type SignedTx = ChainTx & { raw: Hex; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * Stores a signed attempt, which also fulfils a requested fee increase. Returns false if another process has stored
 * this attempt meanwhile; the caller then must not broadcast its own.
 */
export async function insertAttempt(
  tx: Transaction,
  op: ChainOp,
  attempt: Omit<SignedTx, 'createdAt' | 'isForeign'>,
): Promise<boolean> {
  const { tenantId, id } = op
  const [inserted] = await tx.batch(
    (tx) =>
      tx.row(sql`
      insert into cell.chain_tx (tenant_id, hash, op_id, attempt, raw, max_fee_per_gas, max_priority_fee_per_gas,
                                 is_cancellation)
      values (${tenantId}, ${attempt.hash}, ${id}, ${attempt.attempt}, ${attempt.raw}, ${String(attempt.maxFeePerGas)},
              ${String(attempt.maxPriorityFeePerGas)}, ${attempt.isCancellation})
      on conflict do nothing
      returning hash`),
    (tx) => (op.isFeeIncreaseRequested ? clearFeeIncrease(tx, op) : undefined),
  )
  return inserted !== undefined
}

/** Returns false if the transaction is already an attempt of this op or of another one. */
export async function insertForeignAttempt(tx: Transaction, { tenantId, id }: ChainOp, hash: Hash): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into cell.chain_tx (tenant_id, hash, op_id, attempt, is_foreign)
    select ${tenantId}::uuid, ${hash}::text, ${id}::uuid, coalesce(max(attempt), 0) + 1, true
    from cell.chain_tx where tenant_id = ${tenantId} and op_id = ${id}
    on conflict (tenant_id, hash) do nothing
    returning hash`)
  return inserted !== undefined
}
