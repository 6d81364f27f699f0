import { formatGwei } from 'viem'
import { counter } from '../../platform/base/metric.ts'
import type { Chain, Fees } from '../chain/chain.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { signTransaction } from '../signers/signer.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { type ChainOpContext, nextCheckAt, requireSigner, wait } from './chain-op-context.ts'
import { moveOp } from './chain-op-engine.sql.ts'
import { insertAttempt, type SignedTx } from './chain-tx.sql.ts'
import { passCrashPoint } from './crash-points.ts'
import { firstFees } from './fees.ts'

/**
 * RESERVED → SIGNED. Signs the first attempt, stores it, and only then broadcasts it. Waits while the base fee of the
 * chain is above the limit.
 */
export async function signOp(context: ChainOpContext, chain: Chain, op: ChainOp): Promise<undefined> {
  const current = await chain.fees()
  const fees = firstFees(current, context.feeMax)
  if (!fees) {
    const problem = `the base fee is ${formatGwei(current.baseFeePerGas)} gwei, above MAX_FEE_GWEI`
    const fields = { chain: op.chain, chain_op_id: op.id, tenant_id: op.tenantId, problem }
    feeLimited.add(1, { chain: op.chain, cell: context.cell ?? '' })
    context.log.warn(fields, 'a chain op waits for lower fees')
    return wait(context, op)
  }
  const attempt = await signAttempt(context, chain, op, { attempt: 1, fees })
  const now = context.clock()
  const signed = await inTenantWrite(context, op.tenantId, async (tx) => {
    const isFirst = await insertAttempt(tx, op, attempt)
    return isFirst ? moveOp(tx, 'RESERVED', { ...op, state: 'SIGNED' }, nextCheckAt(context, op, now)) : undefined
  })
  if (!signed) return
  passCrashPoint('stored')
  await chain.broadcast(attempt.raw)
  passCrashPoint('broadcast')
}

const feeLimited = counter('chain_op_fee_limited', {
  description: 'How often a chain op waited because the base fee was above MAX_FEE_GWEI',
  labels: ['chain', 'cell'],
})

/** Called once for each chain and cell. */
export function startCountingFeeLimit(labels: { chain: string; cell: string }): void {
  feeLimited.add(0, labels)
}

/** Signs the op's call, or its cancellation, with the op's nonce. */
export async function signAttempt(
  context: ChainOpContext,
  chain: Chain,
  op: ChainOp,
  { attempt, fees }: { attempt: number; fees: Fees },
): Promise<Omit<SignedTx, 'createdAt' | 'isForeign'>> {
  const row = await requireSigner(context, op)
  if (op.nonce === null || op.gas === null) throw new Error('a chain op must have a nonce before it is signed')
  // A cancellation is an empty transaction to the signer itself.
  const call = op.isCancelling ? { to: row.address, gas: 21_000n } : { to: op.to, data: op.data, gas: op.gas }
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  const transaction = {
    ...call,
    maxFeePerGas,
    maxPriorityFeePerGas,
    // The node is asked again: it may have been replaced by one of another chain.
    chainId: await chain.id(),
    nonce: op.nonce,
  }
  const signed = await signTransaction(context.signers.signerOf(row), transaction)
  return { ...signed, maxFeePerGas, maxPriorityFeePerGas, attempt, isCancellation: op.isCancelling }
}
