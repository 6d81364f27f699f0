import { type Address, decodeFunctionResult, type PublicClient } from 'viem'
import { tokenAbi, tokenCall } from '../../../src/tokens/chain/contracts.ts'

/** Calls a read function of a token, as of the head or of a block. */
export async function readToken<Result>(
  { client }: { client: PublicClient },
  token: Address,
  functionName: string,
  args: unknown[] = [],
  at: { blockNumber?: bigint; blockTag?: 'finalized' } = {},
): Promise<Result> {
  const { data = '0x' } = await client.call({ ...tokenCall(token, functionName, args), ...at } as never)
  return decodeFunctionResult({ abi: tokenAbi, functionName, data }) as Result
}
