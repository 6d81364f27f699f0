import { deskAbi, idFromBytes32 } from '../../service/src/tokens/chain/contracts.ts'
import type { PacedChain } from '../../service/test/harness/chain/paced-chain.ts'

interface World {
  readonly chain: Pick<PacedChain, 'client'>
  rows<Row>(text: string): Promise<Row[]>
}

/** Returns the order of each mint of all desks, from the chain itself. An order that appears twice was minted twice. */
export async function ordersMintedOnChain(world: World): Promise<string[]> {
  const desks = await world.rows<{ desk: `0x${string}` }>('select desk_address as desk from cell.chain_signer')
  const logs = await world.chain.client.getContractEvents({
    address: desks.map(({ desk }) => desk),
    abi: deskAbi,
    eventName: 'OrderMinted',
    fromBlock: 0n,
  })
  return logs.map(({ args }) => idFromBytes32((args as unknown as { ref: `0x${string}` }).ref))
}
