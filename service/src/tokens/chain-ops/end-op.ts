import type { Transaction } from '../../platform/db/transaction.ts'
import { moveOrder } from '../../sales/orders/move-order.ts'
import {
  goOnAfterPause,
  lockOrdersOfOp,
  markDeployed,
  markRegistered,
  type ReadyOrder,
} from '../minting/mint-orders.sql.ts'
import { queueMint } from '../minting/queue-mint.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { moveOp } from './chain-op-life.sql.ts'

// An order whose mint has failed so often on the chain waits for a person.
const failuresMax = 3

/** The end of an op, and what follows from it, in one transaction; nothing where another process was first. */
export async function endOp(
  tx: Transaction,
  op: ChainOp,
  state: 'FINAL' | 'REVERTED' | 'CANCELLED' | 'ALARM',
  failure: string | null,
  now: Date,
): Promise<void> {
  const ended = await moveOp(tx, op.state, { ...op, state, failure }, now)
  if (!ended) return
  if (state === 'FINAL') await carryOut(tx, op, now)
  // Who knows what the chain did with an alarm's number: its orders stay where they are until a person has looked.
  else if (op.kind === 'MINT' && state !== 'ALARM') await giveBack(tx, op, failure)
  else if (op.kind === 'PAUSE' && state !== 'ALARM') await goOnAfterPause(tx, op)
}

/** Orders are not among these: the indexer makes them MINTED, from what the chain says of each. */
async function carryOut(tx: Transaction, op: ChainOp, now: Date): Promise<void> {
  if (op.kind === 'DEPLOY_TOKEN') await markDeployed(tx, op, now)
  if (op.kind === 'REGISTER_WALLETS') await markRegistered(tx, op)
  if (op.kind === 'UNPAUSE') await goOnAfterPause(tx, op)
}

/**
 * The orders of a mint that provably did not happen. Refused in its trial, before it had a number: then one of them is
 * bad, and halving finds it. Else they are ready again.
 */
async function giveBack(tx: Transaction, op: ChainOp, failure: string | null): Promise<void> {
  const orders = await lockOrdersOfOp(tx, op)
  const wasTrial = op.nonce === null && failure !== null
  if (wasTrial && orders.length > 1) {
    const middle = Math.ceil(orders.length / 2)
    await queueMint(tx, op, orders.slice(0, middle))
    await queueMint(tx, op, orders.slice(middle))
    return
  }
  await Promise.all(orders.map((order) => release(tx, order, failure, wasTrial)))
}

async function release(tx: Transaction, order: ReadyOrder, failure: string | null, isBad: boolean): Promise<void> {
  const mintFailures = order.mintFailures + (failure === null ? 0 : 1)
  const isHeld = isBad || mintFailures >= failuresMax
  const heldReason = isHeld && failure !== null ? failure : null
  await moveOrder(tx, order, 'READYTOMINT', { mintFailures, heldReason, mintOpId: null })
}
