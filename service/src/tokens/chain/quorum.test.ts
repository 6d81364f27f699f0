import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { Anvil } from '../../../test/harness/chain/anvil.ts'
import { otherBlocks, otherHash, UntrustedNode } from '../../../test/harness/chain/untrusted-node.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { createLogger } from '../../platform/base/log.ts'
import { Chain, ChainUnavailable, NodesDisagree, WrongChain } from './chain.ts'
import { factoryDeployment } from './contracts.ts'

const anvilId = 31_337

describe('several nodes of a chain', async () => {
  let nodes: UntrustedNode[] = []
  let logged: { level: string; problem?: string; msg: string }[] = []

  const anvil = await Anvil.start()
  after(() => anvil.stop())
  await anvil.mine(20)
  afterEach(() => {
    for (const node of nodes) node.stop()
  })

  /** Opens a chain through this many nodes. */
  async function open(count: number, chainId = anvilId) {
    nodes = await Promise.all(Array.from({ length: count }, () => UntrustedNode.start(anvil.url)))
    logged = []
    const log = createLogger('info', 'test', { write: (line: string) => void logged.push(JSON.parse(line)) })
    const chain = new Chain(
      'anvil',
      nodes.map(({ url }) => url),
      chainId,
      log,
    )
    const [first, second, third] = nodes as [UntrustedNode, UntrustedNode, UntrustedNode]
    return { chain, first, second, third }
  }
  const finalizedOnChain = async () => (await anvil.client.getBlock({ blockTag: 'finalized' })).number
  const reports = () => logged.map(({ level, problem }) => `${level} ${problem}`)

  test('two that agree are one chain', async () => {
    const { chain } = await open(2)
    assert.equal(await chain.finalized(), await finalizedOnChain())
    assert.equal((await chain.head()).number, await anvil.head())
    assert.equal(await chain.id(), anvilId)
    assert.deepEqual(logged, [])
  })

  test('two that have different finalized blocks disagree: nothing is read or believed until they agree', async () => {
    const { chain, second } = await open(2)
    second.lie = otherBlocks
    await assert.rejects(chain.finalized(), NodesDisagree)
    await assert.rejects(chain.balance(await anvil.account(0)), NodesDisagree)
    await assert.rejects(chain.id(), NodesDisagree)
    assert.deepEqual(reports(), ['error node 1 of 2: disagrees', 'error node 2 of 2: disagrees'])
    second.lie = (_, result) => result
    assert.equal(await chain.finalized(), await finalizedOnChain())
    assert.ok((await chain.balance(await anvil.account(0))) > 0n)
  })

  test('if one of two is behind, finality is late; if one is away, finality stops without an alarm', async () => {
    const { chain, first } = await open(2)
    first.blocksBehind = 3n
    assert.equal(await chain.finalized(), (await finalizedOnChain()) - 3n)
    first.blocksBehind = 0n
    first.isAway = true
    await assert.rejects(
      chain.finalized(),
      (error) => error instanceof ChainUnavailable && !(error instanceof NodesDisagree),
    )
    first.isAway = false
    assert.equal(await chain.finalized(), await finalizedOnChain())
    assert.ok(!logged.some(({ level }) => level === 'error'), JSON.stringify(logged))
  })

  test('if one of three disagrees, it is reported and never read from', async () => {
    const { chain, first } = await open(3)
    first.lie = otherBlocks
    assert.equal(await chain.finalized(), await finalizedOnChain())
    assert.notEqual((await chain.head()).hash, otherHash)
    assert.notEqual((await chain.block(3n)).hash, otherHash)
    await chain.balance(await anvil.account(0))
    await chain.id()
    assert.deepEqual(reports(), ['error node 1 of 3: disagrees'])
    assert.ok(!first.methods.includes('eth_getBalance'))
  })

  test('if one of three is behind on another history, it is reported too', async () => {
    const { chain, third } = await open(3)
    third.blocksBehind = 2n
    third.lie = otherBlocks
    assert.equal(await chain.finalized(), await finalizedOnChain())
    assert.deepEqual(reports(), ['error node 3 of 3: disagrees'])
  })

  test('one of three may be away or behind; data is read from the next', async () => {
    const { chain, first, second } = await open(3)
    await chain.finalized()
    first.isAway = true
    assert.ok((await chain.balance(await anvil.account(0))) > 0n)
    assert.equal(await chain.finalized(), await finalizedOnChain())
    assert.deepEqual(reports(), ['warn node 1 of 3: away'])
    second.isAway = true
    await assert.rejects(chain.finalized(), /1 of 3 nodes of anvil respond, and 2 must agree/)
  })

  test('two that disagree while the third is away disagree', async () => {
    const { chain, first, third } = await open(3)
    first.lie = otherBlocks
    third.isAway = true
    await assert.rejects(chain.finalized(), NodesDisagree)
  })

  test('a transaction is sent to all of them', async () => {
    const { chain } = await open(3)
    await chain.broadcast('0x00')
    for (const node of nodes) assert.ok(node.methods.includes('eth_sendRawTransaction'))
  })

  test('logs and receipts of a block that the others do not have are read from another node', async () => {
    const { chain, first } = await open(2)
    const from = await anvil.account(0)
    const { transactionHash, blockNumber, blockHash, contractAddress } = await anvil.receipt(
      await anvil.rpc('eth_sendTransaction', { from, data: loggingCode }),
    )
    await anvil.finalize()
    first.lie = ({ method }, result) => {
      if (method === 'eth_getLogs') return (result as object[]).map((log) => ({ ...log, blockHash: otherHash }))
      return method === 'eth_getTransactionReceipt' ? { ...(result as object), blockHash: otherHash } : result
    }
    const logs = await chain.logs([contractAddress ?? '0x'], { from: blockNumber, to: blockNumber })
    assert.deepEqual(pluck(logs, 'blockHash'), [blockHash])
    assert.equal((await chain.receipt(transactionHash))?.blockHash, blockHash)
    const problems = logged.map(({ level, msg }) => `${level} ${msg}`)
    assert.deepEqual(problems, Array(2).fill('error a node returned data of a block that others lack'))
  })

  test('two that return different data of a finalized block disagree', async () => {
    const { chain, second } = await open(2)
    const block = await chain.finalized()
    const call = { to: factoryDeployment.address, data: '0x' } as const
    assert.equal(await chain.read(call, block), '0x')
    second.lie = ({ method }, result) => (method === 'eth_call' ? '0x01' : result)
    await assert.rejects(chain.read(call, block), NodesDisagree)
  })

  test('a node of another chain is not read from', async () => {
    const { chain, first } = await open(3)
    first.lie = ({ method }, result) => (method === 'eth_chainId' ? '0x1' : result)
    assert.equal(await chain.finalized(), await finalizedOnChain())
    assert.deepEqual(reports(), ['error node 1 of 3: wrong chain'])
    await chain.broadcast('0x00')
    assert.ok(!first.methods.includes('eth_sendRawTransaction'))
  })

  test('a single node of another chain is rejected, also if it replaces the right one later', async () => {
    const { chain, first } = await open(1)
    assert.equal(await chain.id(), anvilId)
    first.lie = ({ method }, result) => (method === 'eth_chainId' ? '0x1' : result)
    await assert.rejects(chain.id(), WrongChain)
    await assert.rejects(chain.head(), {
      message: 'A node of anvil has chain id 1, but anvil has 31337: correct CHAINS.',
    })
  })
})

/** Creates a contract whose constructor emits an empty log: log0(0, 0). */
const loggingCode = '0x60006000a000'
