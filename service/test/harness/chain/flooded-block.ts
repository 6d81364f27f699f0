import { type Address, encodeFunctionData, getAddress, type Hex, numberToHex, parseAbi } from 'viem'
import type { Call } from '../../../src/tokens/chain/chain.ts'

/** A call that a stranger may make on any of our tokens, even while it is paused. Each call emits one log. */
export const approval = encodeFunctionData({
  abi: parseAbi(['function approve(address,uint256)']),
  functionName: 'approve',
  args: [getAddress(`0x${'e1'.repeat(20)}`), 0n],
})
/** Returns a call that strangers may also make, from any registered holder to any other. */
export const transferOfNoUnits = (holder: Address) =>
  encodeFunctionData({
    abi: parseAbi(['function transferFrom(address,address,uint256)']),
    functionName: 'transferFrom',
    args: [holder, holder, 0n],
  })

const spammer = getAddress('0x00000000000000000000000000000000000e11e5')
/** The largest transaction of Ethereum since EIP-7825. */
const transactionGasMax = 16_777_216n
const perTransactionMax = 1_700

type SentCall = Call & { readonly from: Address }

interface TestChain {
  rpc(method: string, ...params: unknown[]): Promise<unknown>
}

/**
 * Mines one block in which a contract of the sender repeats this call, with one log each, and then another call. Returns
 * its transactions.
 */
export async function floodBlock(
  chain: TestChain,
  { sender, token, data, logs, last }: { sender: Address; token: Address; data: Hex; logs: number; last?: SentCall },
): Promise<Hex[]> {
  const transactions = Math.ceil(logs / perTransactionMax)
  await chain.rpc('evm_setBlockGasLimit', numberToHex(500_000_000))
  await chain.rpc('anvil_setCode', spammer, repeated(token, data, Math.ceil(logs / transactions)))
  const isAutomining = await chain.rpc('anvil_getAutomine')
  await chain.rpc('evm_setAutomine', false)
  const hashes: Hex[] = []
  for (let sent = 0; sent < transactions; sent += 1)
    hashes.push(
      (await chain.rpc('eth_sendTransaction', {
        from: sender,
        to: spammer,
        gas: numberToHex(transactionGasMax),
      })) as Hex,
    )
  if (last) hashes.push((await chain.rpc('eth_sendTransaction', { ...last, gas: numberToHex(1_000_000) })) as Hex)
  await chain.rpc('anvil_mine', '0x1')
  if (isAutomining === true) await chain.rpc('evm_setAutomine', true)
  return hashes
}

/** Returns the code of a contract that makes a call again and again. */
function repeated(target: Address, data: Hex, times: number): Hex {
  const bytes = data.slice(2)
  const words = bytes.match(/.{1,64}/g) ?? []
  const store = words.map((word, index) => `7f${word.padEnd(64, '0')}60${hexByte(index * 32)}52`).join('')
  const counter = `62${times.toString(16).padStart(6, '0')}`
  const start = hexByte((store.length + counter.length) / 2)
  // Loop: call(gas, target, 0, 0, length, 0, 0), drop its result, decrement the counter, jump back unless it is 0.
  return `0x${store}${counter}5b5f5f60${hexByte(bytes.length / 2)}5f5f73${target.slice(2)}5af150600190038060${start}5700`
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}
