import type { Chain, Fees } from '../chain/chain.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { signTransaction } from '../signers/signer.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { type ChainOpContext, nextCheckAt, requireSigner } from './chain-op-context.ts'
import { moveOp } from './chain-op-engine.sql.ts'
import { insertAttempt, type SignedTx } from './chain-tx.sql.ts'
import { passCrashPoint } from './crash-points.ts'

/** RESERVED → SIGNED. Signs the first attempt, stores it, and only then broadcasts it. */
export async function signOp(context: ChainOpContext, chain: Chain, op: ChainOp): Promise<undefined> {
  const attempt = await signAttempt(context, chain, op, { attempt: 1, fees: await chain.fees() })
  const signed = await inTenantWrite(context, op.tenantId, async (tx) => {
    const isFirst = await insertAttempt(tx, op, attempt)
    return isFirst ? moveOp(tx, 'RESERVED', { ...op, state: 'SIGNED' }, nextCheckAt(context)) : undefined
  })
  if (!signed) return
  passCrashPoint('stored')
  await chain.broadcast(attempt.raw)
  passCrashPoint('broadcast')
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
    chainId: await chain.id(),
    nonce: op.nonce,
  }
  const signed = await signTransaction(context.signers.signerOf(row), transaction)
  return { ...signed, maxFeePerGas, maxPriorityFeePerGas, attempt, isCancellation: op.isCancelling }
}
