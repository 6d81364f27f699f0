import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { otherBlocks, UntrustedNode } from '../../../test/harness/chain/untrusted-node.ts'
import { lastReadiness } from '../../../test/harness/installation/log-lines.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { SettledWorld } from '../../../test/harness/tokens/settled-world.ts'
import { until } from '../../../test/harness/wait.ts'
import { createLogger } from '../../platform/base/log.ts'
import { Chain, NodesDisagree } from '../chain/chain.ts'
import { ChainIndexer } from '../indexer/chain-indexer.ts'
import { reconcileAll } from './reconcile.ts'
import { checkNodes } from './watch-nodes.ts'

const anvilId = 31_337

describe('a chain with two nodes', async () => {
  const settled = await SettledWorld.create()
  const { chain, installation, pool, world } = settled
  const api = await installation.startOperatorApi()
  const admin = await OperatorClient.create(installation, api, world.tenantId, 'admin')
  await settled.minted(1)
  const [first, second] = [await UntrustedNode.start(chain.url), await UntrustedNode.start(chain.url)]
  after(() => first.stop())
  after(() => second.stop())
  after(() => settled.end())

  const offeringPath = () => `/offerings/${world.offeringId}`
  const stopped = async (): Promise<string | null> => (await admin.get(offeringPath())).body.minting_stopped
  const signed = () => world.rows('select hash from cell.chain_tx')
  const bothUrls = () => [first.url, second.url]

  function contextWith(lines: { level: string; msg: string }[] = []) {
    const log = createLogger('warn', 'test', { write: (line: string) => void lines.push(JSON.parse(line)) })
    return world.context({ log, chains: new Map([['anvil', new Chain('anvil', bothUrls(), anvilId, log)]]) })
  }

  test('mints and indexes through both', async () => {
    const context = contextWith()
    await world.readyOrders(await world.investor(), 1)
    await settled.settle(context)
    await chain.mine(8)
    await new ChainIndexer(context.chains.get('anvil') as Chain, pool, context).readToHead()
    await world.assertExact(2)
    await checkNodes(pool, context)
    assert.equal(await stopped(), null)
  })

  test('that disagree stop minting with an alarm until they agree and an admin resumes it', async () => {
    const lines: { level: string; msg: string }[] = []
    const context = contextWith(lines)
    second.lie = otherBlocks
    await checkNodes(pool, context)
    await checkNodes(pool, context)
    assert.equal(await stopped(), 'the nodes of anvil disagree on a finalized block')
    const alarms = lines.filter(({ msg }) => msg === 'the nodes of the chain disagree: minting is stopped')
    assert.deepEqual(pluck(alarms, 'level'), ['error'])
    const audited = `select actor_type from base.audit_log where action = 'offering.minting_stopped'`
    assert.deepEqual(await world.rows(audited), [{ actor_type: 'system' }])
    const [orderId = ''] = await world.readyOrders(await world.investor(), 1)
    const earlier = await signed()
    await world.runCycle(context)
    assert.deepEqual(await signed(), earlier)
    const indexer = new ChainIndexer(context.chains.get('anvil') as Chain, pool, context)
    await assert.rejects(indexer.readToHead(), NodesDisagree)
    second.lie = (_, result) => result
    await checkNodes(pool, context)
    assert.notEqual(await stopped(), null)
    await admin.postTogether(`${offeringPath()}/resume-minting`, { reason: 'the node was replaced' })
    const accepted = 'select accepted_difference from cell.offering'
    assert.deepEqual(await world.rows(accepted), [{ accepted_difference: null }])
    await settled.settle(context)
    assert.equal((await admin.get(`/orders/${orderId}`)).body.status, 'MINTED')
  })

  test('that return different balances of a finalized block stop minting', async () => {
    second.lie = ({ method }, result) => (method === 'eth_call' ? `0x${'0'.repeat(63)}1` : result)
    await reconcileAll(pool, contextWith())
    assert.equal(await stopped(), 'the nodes of anvil disagree on a finalized block')
    second.lie = (_, result) => result
    await admin.postTogether(`${offeringPath()}/resume-minting`, { reason: 'the node was replaced' })
  })

  test('only waits while one is away, and continues by itself', async () => {
    const context = contextWith()
    const [orderId = ''] = await world.readyOrders(await world.investor(), 1)
    first.isAway = true
    const earlier = await signed()
    await checkNodes(pool, context)
    await world.runCycle(context)
    assert.deepEqual(await signed(), earlier)
    assert.equal(await stopped(), null)
    first.isAway = false
    await settled.settle(context)
    assert.equal((await admin.get(`/orders/${orderId}`)).body.status, 'MINTED')
  })

  test('that disagree stop minting from the indexer process too', async () => {
    const indexer = await installation.startIndexerProcess({ CHAINS: `anvil=${bothUrls().join()}` })
    const { port } = await indexer.logged('listening')
    const state = async () => {
      await (await fetch(`http://127.0.0.1:${Number(port)}/readyz`)).text()
      return lastReadiness(indexer).checks['chain anvil, cell main']?.split(',')[0]
    }
    await until('the indexer follows', async () => (await state()) === 'following')
    first.lie = otherBlocks
    await until('the indexer rejects the nodes', async () => (await state()) === 'rejected')
    await until('minting is stopped', async () => (await stopped()) !== null)
    first.lie = (_, result) => result
    await until('the indexer follows again', async () => (await state()) === 'following')
    await admin.postTogether(`${offeringPath()}/resume-minting`, { reason: 'the node was replaced' })
    assert.equal(await indexer.stop(), 0)
  })

  test('a worker signs nothing for a chain whose node belongs to another one, says so, and runs its jobs', async () => {
    const [orderId = ''] = await world.readyOrders(await world.investor(), 1)
    first.lie = ({ method }, result) => (method === 'eth_chainId' ? '0x1' : result)
    const earlier = await signed()
    const worker = await installation.startWorkerProcess({ CHAINS: `anvil=${first.url}` })
    const { err } = await worker.logged('the node belongs to another chain: nothing is signed')
    assert.equal(
      (err as { message: string }).message,
      'A node of anvil has chain id 1, but anvil has 31337: correct CHAINS.',
    )
    await until('an op waits', async () => (await world.ops()).some(({ state }) => state === 'QUEUED'))
    const calls = first.methods.length
    await until('the op is tried', () => first.methods.length > calls + 2)
    await worker.logged('job done')
    assert.deepEqual(await signed(), earlier)
    first.lie = (_, result) => result
    await until('the op is signed', async () => (await signed()).length > earlier.length)
    assert.equal(await worker.stop(), 0)
    await chain.mine()
    await settled.settle()
    assert.equal((await admin.get(`/orders/${orderId}`)).body.status, 'MINTED')
  })
})
