import type { Fees } from '../chain/chain.ts'

// Nodes accept a replacement from 10 % more. 12.5 % leaves room for rounding and for nodes that require more.
const [numerator, denominator] = [9n, 8n]

/** Limit for the fee per gas: 500 gwei. An op whose fee would exceed it waits for the chain or an operator. */
export const feeMax = 500_000_000_000n

/**
 * Fees of a replacement: 12.5 % more than the previous attempt, or the chain's current fees if those are higher.
 * Undefined if that exceeds the limit; the existing attempts then stay as they are.
 */
export function bumpedFees(last: Fees, current: Fees, limit = feeMax): Fees | undefined {
  const bumped = (fee: bigint) => (fee * numerator + denominator - 1n) / denominator + 1n
  const higher = (one: bigint, other: bigint) => (one > other ? one : other)
  const maxFeePerGas = higher(bumped(last.maxFeePerGas), current.maxFeePerGas)
  const maxPriorityFeePerGas = higher(bumped(last.maxPriorityFeePerGas), current.maxPriorityFeePerGas)
  return maxFeePerGas > limit ? undefined : { maxFeePerGas, maxPriorityFeePerGas }
}
