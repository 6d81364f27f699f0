import type { Hex } from 'viem'
import { approval, floodBlock, transferOfNoUnits } from '../chain/flooded-block.ts'
import { logsAtMost, UntrustedNode } from '../chain/untrusted-node.ts'
import { until } from '../wait.ts'
import type { Attack, AttackResult } from './attack.ts'
import { ChainUnderAttack } from './attack-chain.ts'
import type { AttackStack } from './attack-stack.ts'

const blockSeconds = 2
const delayBlocksMax = 3
const waitMs = 60_000
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
      const isRead = await untilTrue(async () => (await readToOf(flooded)) === null)
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
  const isMinted = await untilTrue(async () => ((await world.statuses())['MINTED'] ?? 0) > mintedBefore)
  return isMinted ? Number((await chain.client.getBlockNumber()) - start) : undefined
}

function untilTrue(condition: () => Promise<boolean>): Promise<boolean> {
  return until('the attack is over', condition, waitMs).then(
    () => true,
    () => false,
  )
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
