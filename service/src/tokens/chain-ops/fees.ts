import type { CurrentFees, Fees } from '../chain/chain.ts'

// Nodes accept a replacement from 10 % more. 12.5 % leaves room for rounding and for nodes that require more.
const [numerator, denominator] = [9n, 8n]

/**
 * Returns the fees of the first attempt: the current fees of the chain, but never more than the limit per gas.
 * Undefined while the base fee alone exceeds the limit, because no block would include the transaction.
 */
export function firstFees(current: CurrentFees, limit: bigint): Fees | undefined {
  if (current.baseFeePerGas > limit) return undefined
  return capped(current, limit)
}

/**
 * Returns the fees of a replacement: 12.5 % more than the previous attempt, or the chain's current fees if higher.
 * Undefined if that exceeds the limit; the existing attempts then stay as they are.
 */
export function bumpedFees(last: Fees, current: CurrentFees, limit: bigint): Fees | undefined {
  const wanted = firstFees(current, limit)
  const bumped = { maxFeePerGas: bump(last.maxFeePerGas), maxPriorityFeePerGas: bump(last.maxPriorityFeePerGas) }
  if (!wanted || bumped.maxFeePerGas > limit) return undefined
  return capped(
    {
      maxFeePerGas: higher(bumped.maxFeePerGas, wanted.maxFeePerGas),
      maxPriorityFeePerGas: higher(bumped.maxPriorityFeePerGas, wanted.maxPriorityFeePerGas),
    },
    limit,
  )
}

/** Caps both fees. The priority fee is part of the fee, so it cannot be higher. */
function capped(fees: Fees, limit: bigint): Fees {
  const maxFeePerGas = lower(fees.maxFeePerGas, limit)
  return { maxFeePerGas, maxPriorityFeePerGas: lower(fees.maxPriorityFeePerGas, maxFeePerGas) }
}

function bump(fee: bigint): bigint {
  return (fee * numerator + denominator - 1n) / denominator + 1n
}

function higher(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function lower(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
