import type { Address } from 'viem'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Call } from '../chain/chain.ts'
import type { ChainSigner } from '../signers/signer.sql.ts'
import type { ChainOp } from './chain-op.sql.ts'
import type { ChainOpKind } from './chain-op.ts'

/** An operator's retry either enqueues a new op, or releases the op's orders so that the planner enqueues them. */
export type Retried = { readonly newOpId: string } | { readonly releasedOrders: number }

/** The behaviour of one kind of chain op. The engine itself knows no kind; tokens/chain-op-handlers.ts lists them. */
export interface ChainOpHandler {
  /**
   * The address of the contract that the op deploys, if it can be deployed by others too. If the contract already
   * exists, the op becomes FINAL without a transaction.
   */
  readonly deployedAddress?: (signer: ChainSigner, op: ChainOp) => Address
  /**
   * The call to send now, for kinds whose call depends on rows that may have changed since the op was enqueued; see
   * refresh-call.ts. If it returns undefined, nothing is left to do, and the op becomes CANCELLED.
   */
  readonly currentCall?: (tx: Transaction, op: ChainOp) => Promise<Call | undefined>
  /**
   * Lets the op be sent once its dependency is in a block; otherwise it waits until that block is finalized. Only for
   * idempotent calls: if a reorg separates the two, the op is retried.
   */
  readonly followsUnfinalized?: true
  /** Set if the call works without the dependency, which only has to be sent first. Both may then be in one block. */
  readonly isIndependent?: true
  /** Set if other ops wait for it, so that it is checked more often while it may be in the next block. */
  readonly isAwaited?: true
  /** Runs in the transaction that makes the op FINAL. */
  readonly onFinal?: (tx: Transaction, op: ChainOp, now: Date) => Promise<void>
  /**
   * Runs in the transaction that makes the op REVERTED or CANCELLED: the call did not happen. `failure` is null if it
   * was cancelled. Not called for ALARM, because it is unknown whether the call happened.
   */
  readonly onFailed?: (tx: Transaction, op: ChainOp, failure: string | null) => Promise<void>
  /**
   * Runs when an operator retries an op in REVERTED or ALARM. Throws chain_op_not_retryable if a retry is not allowed.
   */
  readonly retry: (tx: Transaction, op: ChainOp) => Promise<Retried>
}

export type ChainOpHandlers = Readonly<Record<ChainOpKind, ChainOpHandler>>
