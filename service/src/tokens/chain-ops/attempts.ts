import type { Hash, TransactionReceipt } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { inTenantRead } from '../chain/chain-context.ts'
import { isSameAddress } from '../chain/contracts.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { type ChainOpContext, requireSigner } from './chain-op-context.ts'
import { type ChainTx, type SignedTx, selectAttempts } from './chain-tx.sql.ts'

/** All transactions that may have executed an op. */
export interface Attempts {
  /** Signed by this service, oldest first. */
  own: SignedTx[]
  /** Attached by an operator. */
  foreign: Hash[]
  next: number
}

export async function loadAttempts(context: ChainOpContext, { tenantId, id }: ChainOp): Promise<Attempts> {
  const attempts = await inTenantRead(context, tenantId, (tx) => selectAttempts(tx, { tenantId, opId: id }))
  return {
    own: attempts.filter(isSigned),
    foreign: attempts.filter(({ isForeign }) => isForeign).map(({ hash }) => hash),
    next: (attempts.at(-1)?.attempt ?? 0) + 1,
  }
}

function isSigned(attempt: ChainTx): attempt is SignedTx {
  return attempt.raw !== null
}

interface Receipts {
  own: TransactionReceipt | undefined
  /** Receipt of a foreign transaction that made the op's call successfully. */
  foreign: TransactionReceipt | undefined
}

export async function fetchReceipts(chain: Chain, op: ChainOp, { own, foreign }: Attempts): Promise<Receipts> {
  const [ownReceipts, foreignReceipts] = await Promise.all([
    Promise.all(own.map(({ hash }) => chain.receipt(hash))),
    Promise.all(foreign.map((hash) => foreignReceipt(chain, op, hash))),
  ])
  return {
    own: ownReceipts.find((receipt) => receipt !== undefined),
    foreign: foreignReceipts.find((receipt) => receipt !== undefined),
  }
}

/** An operator may attach any hash. It counts only if the transaction succeeded and made exactly the op's call. */
async function foreignReceipt(chain: Chain, op: ChainOp, hash: Hash): Promise<TransactionReceipt | undefined> {
  const [call, receipt] = await Promise.all([chain.transaction(hash), chain.receipt(hash)])
  const isSameCall = call && isSameAddress(call.to, op.to) && call.data === op.data
  return isSameCall && receipt?.status === 'success' ? receipt : undefined
}

/** Returns true if a transaction in a finalized block has used the op's nonce. */
export async function isNonceUsed(context: ChainOpContext, chain: Chain, op: ChainOp): Promise<boolean> {
  const { address } = await requireSigner(context, op)
  return (await chain.transactionCount(address, 'finalized')) > (op.nonce ?? 0)
}

export function minedIn(op: ChainOp, { transactionHash, blockNumber, blockHash }: TransactionReceipt): ChainOp {
  return { ...op, state: 'MINED', minedHash: transactionHash, minedBlock: blockNumber, minedBlockHash: blockHash }
}
