import type { Fees } from '../chain/chain.ts'

// Nodes take a replacement from a tenth more on; an eighth leaves room for rounding and for nodes that ask for more.
const [numerator, denominator] = [9n, 8n]

/** Nobody pays more than this for a unit of gas without a person having said so: 500 gwei. */
export const feeMax = 500_000_000_000n

/**
 * What a replacement must offer: an eighth more than the attempt before it, or what the chain asks for now if that is
 * more. Undefined where that would be above the limit: then the attempts that are out there must do.
 */
export function bumpedFees(last: Fees, current: Fees, limit = feeMax): Fees | undefined {
  const more = (fee: bigint) => (fee * numerator + denominator - 1n) / denominator + 1n
  const higher = (one: bigint, other: bigint) => (one > other ? one : other)
  const maxFeePerGas = higher(more(last.maxFeePerGas), current.maxFeePerGas)
  const maxPriorityFeePerGas = higher(more(last.maxPriorityFeePerGas), current.maxPriorityFeePerGas)
  return maxFeePerGas > limit ? undefined : { maxFeePerGas, maxPriorityFeePerGas }
}
