import type { Address } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { deployingDesks, factoryAddresses, isSameAddress } from '../chain/contracts.ts'

/** Nodes of providers limit the range of a query for logs, most to more than this. */
const rangeBlocks = 1_000n
/** About half a year of Ethereum blocks. */
const rangesMax = 1_300

/**
 * Finds desks that have deployed a token after a block and that no cell knows. Such a desk belongs to a signer that was
 * created after the restored moment: its sealed key is lost, and with it the tokens' roles and the gas. It may also
 * belong to another installation with the same factory. A signer that has not deployed a token leaves no trace.
 */
export async function unknownDesks(chain: Chain, after: bigint, known: readonly Address[]): Promise<string[]> {
  const { number: head } = await chain.head()
  const desks = new Map<string, string[]>()
  let from = after + 1n
  for (let ranges = 0; from <= head && ranges < rangesMax; ranges += 1) {
    const to = from + rangeBlocks - 1n < head ? from + rangeBlocks - 1n : head
    for (const { deskAddress, offeringId } of deployingDesks(await chain.logs([...factoryAddresses], { from, to })))
      if (!known.some((one) => isSameAddress(one, deskAddress)))
        desks.set(deskAddress, [...(desks.get(deskAddress) ?? []), offeringId])
    from = to + 1n
  }
  const lines = [...desks].map(
    ([address, offerings]) =>
      `desk ${address} on ${chain.name} is of no known signer; offerings ${offerings.join(', ')}`,
  )
  return from <= head ? [...lines, `${chain.name}: blocks from ${from} on were not searched`] : lines
}
