import { type Address, concat, type Hex, numberToHex, pad, size, type TransactionReceipt, toEventSelector } from 'viem'
import type { Anvil } from './anvil.ts'

interface ForgedLog {
  readonly topics: readonly Hex[]
  /** At most one word. */
  readonly data: Hex
}

const transferTopic = toEventSelector('Transfer(address,address,uint256)')

/** Returns the Transfer log of one of our tokens. */
export function transferLog(from: Address, to: Address, units: bigint): ForgedLog {
  return { topics: [transferTopic, pad(from), pad(to)], data: numberToHex(units, { size: 32 }) }
}

/** Makes the contract at this address emit these logs in one transaction, true or not. */
export async function emitLogs(
  anvil: Anvil,
  contract: Address,
  logs: readonly ForgedLog[],
): Promise<TransactionReceipt> {
  await anvil.rpc('anvil_setCode', contract, concat(logs.map(instructionsOf)))
  return anvil.send(await anvil.account(9), { to: contract, data: '0x' })
}

/** Returns instructions that store the data in memory and run LOG0 to LOG4, the first topic on top of the stack. */
function instructionsOf({ topics, data }: ForgedLog): Hex {
  const push = (value: Hex) => concat(['0x7f', pad(value, { dir: 'right' })])
  const store = concat([push(data), '0x5f52'])
  const emit = concat(['0x60', numberToHex(size(data), { size: 1 }), '0x5f', numberToHex(0xa0 + topics.length)])
  return concat([store, ...topics.toReversed().map(push), emit])
}
