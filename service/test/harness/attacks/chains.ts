import { setTimeout as sleep } from 'node:timers/promises'
import { formatGwei, type Hex, parseTransaction } from 'viem'
import { approval, floodBlock, transferOfNoUnits } from '../chain/flooded-block.ts'
import type { PacedChain } from '../chain/paced-chain.ts'
import { logsAtMost, UntrustedNode } from '../chain/untrusted-node.ts'
import { happensWithin } from '../wait.ts'
import type { Attack, AttackResult } from './attack.ts'
import { ChainUnderAttack } from './attack-chain.ts'
import type { AttackStack } from './attack-stack.ts'

const baseFeeGwei = 20_000n
const feeMaxGwei = 500n
const foreignChainId = 1
/** Longer than a worker takes to sign a transaction. */
const signMs = 6_000

/** A spike, or a node that lies, would empty the gas money of a tenant. */
export const feeSpike: Attack = {
  name: `a base fee of ${baseFeeGwei} gwei`,
  run: async (stack) => {
    const signed = await signedAfter(stack, async (chain) => {
      await chain.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(baseFeeGwei * 10n ** 9n).toString(16)}`)
      await chain.mine()
    })
    const fees = signed.map(({ maxFeePerGas }) => maxFeePerGas ?? 0n)
    const highest = fees.reduce((one, other) => (one > other ? one : other), 0n)
    const observed = fees.length > 0 ? `signed a fee of ${formatGwei(highest)} gwei` : 'nothing was signed'
    return { isDefended: highest <= feeMaxGwei * 10n ** 9n, observed }
  },
}

/** A transaction signed for another chain can be replayed there. */
export const foreignChain: Attack = {
  name: 'a node that belongs to another chain',
  run: async (stack) => {
    const signed = await signedAfter(stack, (chain) => chain.rpc('anvil_setChainId', foreignChainId))
    const observed = signed.length > 0 ? `signed for chain ${signed[0]?.chainId}` : 'nothing was signed'
    return { isDefended: signed.every(({ chainId }) => chainId !== foreignChainId), observed }
  },
}

/** Returns the transactions that a worker signs for a new tenant after this change of its chain. */
async function signedAfter(stack: AttackStack, change: (chain: PacedChain) => Promise<unknown>) {
  const attacked = await ChainUnderAttack.create(stack)
  try {
    await change(attacked.chain)
    await attacked.startWorker()
    await sleep(signMs)
    if ((await attacked.world.ops()).length === 0) throw new Error('the worker did not try to mint')
    return (await attacked.signedTransactions()).map(({ raw }) => parseTransaction(raw))
  } finally {
    await attacked.end()
  }
}

const blockSeconds = 2
const delayBlocksMax = 3
const floodMsMax = 60_000
const providerLogsMax = 2_000

/** An approval needs no permission, and emits a log of the token. */
export const floodedApprovals: Attack = {
  name: 'a stranger floods a token with 17,000 approvals in one block',
  run: (stack) => flood(stack, { dataOf: () => approval, logs: 17_000 }),
}

/** Zero-unit transfers between holders need no allowance either. They once became transactions of investors. */
export const floodedTransfers: Attack = {
  name: 'a stranger floods a token with 30,000 zero-unit transfers in one block',
  run: (stack) => flood(stack, { dataOf: transferOfNoUnits, logs: 30_000 }),
}

/** With most providers, a few transactions are enough. */
export const cappedNode: Attack = {
  name: `a stranger sends more zero-unit transfers in one block than a node that caps results at ${providerLogsMax} logs`,
  run: (stack) => flood(stack, { dataOf: transferOfNoUnits, logs: providerLogsMax + 1_000, cap: providerLogsMax }),
}

interface Flood {
  readonly dataOf: (holder: `0x${string}`) => Hex
  readonly logs: number
  readonly cap?: number
}

async function flood(stack: AttackStack, { dataOf, logs, cap }: Flood): Promise<AttackResult> {
  const chain = await stack.chain()
  const node = await UntrustedNode.start(chain.url)
  if (cap !== undefined) node.refuse = logsAtMost(cap)
  const settings = { CHAINS: `anvil=${cap === undefined ? chain.url : node.url}` }
  const [flooded, other] = [await ChainUnderAttack.create(stack, chain), await ChainUnderAttack.create(stack, chain)]
  try {
    await other.startWorker()
    const indexer = await stack.installation.startIndexerProcess(settings)
    try {
      const { token, holder } = await flooded.minted()
      await other.minted()
      await chain.rpc('evm_setIntervalMining', blockSeconds)
      const quiet = await blocksToMint(other)
      const before = await transactionsOf(flooded)
      const [sender] = ((await chain.rpc('eth_accounts')) as `0x${string}`[]).slice(-1)
      if (!sender) throw new Error('the chain has no account of a stranger')
      await chain.rpc('evm_setIntervalMining', 0)
      await floodBlock(chain, { sender, token, data: dataOf(holder), logs })
      await chain.rpc('evm_setIntervalMining', blockSeconds)
      const attacked = await blocksToMint(other)
      const isRead = await happensWithin(floodMsMax, async () => (await readToOf(flooded)) === null)
      const added = (await transactionsOf(flooded)) - before
      const minted = attacked === undefined ? 'is not minted' : `is minted in ${attacked} blocks instead of ${quiet}`
      const recovered = isRead ? 'the token is read' : 'the token is not read'
      return {
        isDefended: quiet !== undefined && (attacked ?? Infinity) <= quiet + delayBlocksMax && isRead && added === 0,
        observed: `an order of another tenant ${minted}; ${recovered}; its holder has ${added} more transactions`,
      }
    } finally {
      await indexer.kill()
    }
  } finally {
    await chain.rpc('evm_setIntervalMining', 1)
    node.stop()
    await Promise.all([flooded.end(), other.end()])
  }
}

/** Returns the number of blocks until a ready order is MINTED, or undefined if it takes too long. */
async function blocksToMint({ world, chain, accountId }: ChainUnderAttack): Promise<number | undefined> {
  const mintedBefore = (await world.statuses())['MINTED'] ?? 0
  const start = await chain.client.getBlockNumber()
  await world.readyOrders(accountId, 1)
  const isMinted = await happensWithin(floodMsMax, async () => ((await world.statuses())['MINTED'] ?? 0) > mintedBefore)
  return isMinted ? Number((await chain.client.getBlockNumber()) - start) : undefined
}

async function transactionsOf({ world, accountId }: ChainUnderAttack): Promise<number> {
  const [row] = await world.rows<{ count: number }>(
    'select count(*)::int as count from cell.token_transaction where account_id = $1',
    [accountId],
  )
  return row?.count ?? 0
}

async function readToOf({ world }: ChainUnderAttack): Promise<string | null | undefined> {
  const [row] = await world.rows<{ readTo: string | null }>(
    'select token_read_to as "readTo" from cell.offering where id = $1',
    [world.offeringId],
  )
  return row?.readTo
}
