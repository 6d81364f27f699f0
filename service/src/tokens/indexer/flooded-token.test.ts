import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import type pg from 'pg'
import type { Address, Hex } from 'viem'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { approval, floodBlock, transferOfNoUnits } from '../../../test/harness/chain/flooded-block.ts'
import { TokenDesk } from '../../../test/harness/chain/token-desk.ts'
import { lengthOf, logsAtMost, UntrustedNode } from '../../../test/harness/chain/untrusted-node.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { waitingAlarms } from '../../../test/harness/data/waiting-alarms.ts'
import { testSize } from '../../../test/harness/test-size.ts'
import { IndexedWorld } from '../../../test/harness/tokens/indexed-world.ts'
import { until } from '../../../test/harness/wait.ts'
import { selectMeasures } from '../../workbench/measures/measures.sql.ts'
import type { Call } from '../chain/chain.ts'
import { mintCall } from '../chain/contracts.ts'
import { findDesk } from '../minting/mint-orders.sql.ts'
import type { ChainIndexer } from './chain-indexer.ts'

const approvals = testSize({ short: 1_700, long: 17_000 })
const transfers = testSize({ short: 3_000, long: 30_000 })
const cap = testSize({ short: 200, long: 2_000 })

describe('a token that strangers flood with logs', { timeout: 600_000 }, async () => {
  let indexer: ChainIndexer

  const world = await IndexedWorld.create()
  const anvil = await world.startChain()
  const issue = await world.issue('anvil', anvil)
  const ada = await world.holder(issue)
  await world.mint(issue, ada, 100n)
  const stranger = await anvil.account(8)
  const other = await createOtherTenant()
  const node = await UntrustedNode.start(anvil.url)
  after(() => node.stop())
  after(() => world.end())
  beforeEach(async () => {
    node.refuse = () => undefined
    node.lie = (_, result) => result
    indexer = world.indexer('anvil', node.url)
    await issue.anvil.finalize()
    await index()
  })

  /** Creates another tenant on the same chain, whose investor buys. */
  async function createOtherTenant() {
    const tenant = await TestTenant.create(world.installation, world.api)
    const desk = await TokenDesk.deploy(anvil, 1)
    await desk.attachDesk(world.installation, tenant.id, 'anvil')
    const terms = { blockchain: 'anvil', decimals: 0, total_units: '1000000' }
    const offeringId = await tenant.fixtures.offering(tenant.id, terms)
    await desk.attachToken(world.installation, tenant.id, offeringId)
    const token = await desk.deployToken(offeringId)
    const accountId = await tenant.account()
    const walletId = await tenant.fixtures.wallet(tenant.id, accountId, { blockchain: 'anvil' })
    const to = (await tenant.get(`/accounts/${accountId}/wallets/${walletId}`)).body.public_address
    await desk.register(token, to)
    return { tenant, desk, offeringId, accountId, token, to }
  }
  const index = () => world.index(issue, indexer)
  const flood = (data: Hex, logs: number, last?: Call & { from: Address }) =>
    floodBlock(issue.anvil, { sender: stranger, token: issue.token, data, logs, ...(last && { last }) })
  const limited = async () => {
    const [row] = await rows<{ isLimited: boolean; isReported: boolean }>(
      `select token_read_to is not null as "isLimited", token_unreadable_since is not null as "isReported"
       from cell.offering where id = $1`,
      [issue.offeringId],
    )
    return row
  }
  const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
    world.installation.rows<Row>(text, values)

  /** Waits until the flooded token is read, too. */
  const untilRead = () =>
    until('the flooded token is read', async () => {
      await index()
      return (await limited())?.isLimited === false
    })

  /** Mints for another tenant after the flood: indexing the mint takes no more runs than in a quiet time. */
  async function assertOthersAreMinted(): Promise<void> {
    const orderId = await other.tenant.order(other.offeringId, other.accountId, '100')
    await other.tenant.fixtures.bringTo(other.tenant.id, orderId, 'MINTING')
    await other.desk.mint(other.token, { orderId, to: other.to, units: 100n })
    await index()
    await issue.anvil.finalize()
    await index()
    assert.equal(await world.orderStatus(orderId), 'MINTED')
  }

  /** Counts the transactions and events that the tenant of the flooded token sees. Webhooks deliver events. */
  async function heard(): Promise<{ transactions: number; events: number }> {
    await world.installation.numberEvents()
    const [counted] = await rows<{ events: number }>(
      `select count(*)::int as events from cell.event where tenant_id = $1 and type like 'transaction.%'`,
      [world.tenant.id],
    )
    return { transactions: (await world.transactions(ada.accountId)).length, events: counted?.events ?? 0 }
  }

  for (const isFinalized of [false, true]) {
    const when = isFinalized ? 'finalized' : 'new'

    test(`${approvals} approvals in a ${when} block delay no other token and are not read`, async () => {
      await flood(approval, approvals)
      let most = 0
      node.lie = ({ method }, result) => {
        if (method === 'eth_getLogs') most = Math.max(most, lengthOf(result))
        return result
      }
      if (isFinalized) await issue.anvil.finalize()
      await assertOthersAreMinted()
      assert.ok(most < 10, `${most} logs in one response`)
    })

    test(`${transfers} zero-unit transfers in a ${when} block delay no other token and are no transactions`, async () => {
      node.refuse = logsAtMost(cap)
      const earlierHeard = await heard()
      await flood(transferOfNoUnits(ada.address), transfers)
      if (isFinalized) await issue.anvil.finalize()
      await assertOthersAreMinted()
      const orderId = await world.order(issue, ada)
      await issue.desk.mint(issue.token, { orderId, to: ada.address, units: 100n })
      await issue.anvil.finalize()
      await untilRead()
      assert.equal(await world.orderStatus(orderId), 'MINTED')
      const laterHeard = await heard()
      assert.deepEqual(
        [laterHeard.transactions - earlierHeard.transactions, laterHeard.events - earlierHeard.events],
        [1, 1],
      )
      assert.deepEqual(await limited(), { isLimited: false, isReported: false })
      await world.assertExact(issue)
    })
  }

  for (const message of [
    'query returned more than 10000 results. Try with this block range [0x1, 0x2].',
    'Log response size exceeded.',
    'limit exceeded',
    'query timeout exceeded',
    'some text that no provider has today',
  ])
    test(`a node that limits logs with the error "${message}" delays no other token`, async () => {
      node.refuse = logsAtMost(cap, { code: message.length % 2 ? -32_005 : -32_000, message })
      await flood(transferOfNoUnits(ada.address), cap + 1)
      await assertOthersAreMinted()
      await untilRead()
    })

  test('a node that returns its first thousand logs without an error loses none', async () => {
    node.lie = ({ method }, result) =>
      method === 'eth_getLogs' && Array.isArray(result) ? result.slice(0, 1_000) : result
    const orderId = await world.order(issue, ada, { units: 3n })
    const { desk, token } = issue
    const mint = mintCall(desk.address, token, [{ orderId, to: ada.address, units: 3n }])
    const [first, ...others] = await flood(transferOfNoUnits(ada.address), 1_500, { from: desk.signer, ...mint })
    const blocks = await Promise.all(
      [first, others.at(-1)].map(async (hash) => (await issue.anvil.receipt(hash ?? '0x')).blockHash),
    )
    assert.equal(blocks[0], blocks[1], 'the mint is in the flooded block')
    await assertOthersAreMinted()
    await untilRead()
    assert.equal(await world.orderStatus(orderId), 'MINTED')
    await world.assertExact(issue)
  })

  test('that no node returns raises one alarm, blocks its orders, and is caught up without a restart', async () => {
    const { installation, tenant } = world
    const admin = await OperatorClient.create(installation, await installation.startOperatorApi(), tenant.id, 'admin')
    const { offeringId } = issue
    const direct = new DirectOperations(installation, tenant.id)
    const desk = () => direct.write((tx) => findDesk(tx, { tenantId: tenant.id, offeringId }))
    await rows('update cell.offering set token_deployed_at = now() where id = $1', [issue.offeringId])
    const earlier = await world.eventTypes('offering.token_')
    const isOfFlood = (text: string) => text.includes(flooded)
    const earlierHeard = await heard()
    const [hash] = await flood(transferOfNoUnits(ada.address), cap + 1)
    const { blockHash: flooded, blockNumber } = await issue.anvil.receipt(hash ?? '0x')
    node.refuse = (request, result) =>
      logsAtMost(cap)(request, result) ??
      (request.method.endsWith('Receipts') || (request.method.endsWith('Receipt') && isOfFlood(JSON.stringify(result)))
        ? { code: -32_000, message: 'response too large' }
        : undefined)
    const minting = await world.order(issue, ada, { units: 7n })
    const ready = await world.order(issue, ada, { units: 1n, status: 'READYTOMINT' })
    await issue.desk.mint(issue.token, { orderId: minting, to: ada.address, units: 7n })
    await until('the token is reported', async () => {
      await assertOthersAreMinted()
      return (await limited())?.isReported === true
    })
    assert.equal(await world.orderStatus(minting), 'MINTING')
    assert.deepEqual(await limited(), { isLimited: true, isReported: true })
    assert.ok((await waitingAlarms(installation, tenant.id)).includes('offering.token_unreadable'), 'a mail waits')
    const measured = await world.installation.owner((client) => selectMeasures(client as unknown as pg.Pool))
    const unreadable = measured.filter(({ name }) => name === 'tokens_unreadable')
    assert.deepEqual(unreadable, [{ name: 'tokens_unreadable', chain: 'anvil', state: null, value: 1 }])
    const { body } = await admin.get(`/orders/${ready}`)
    assert.deepEqual(
      body.blockers.map(({ code }: { code: string }) => code).filter((code: string) => code.startsWith('token_u')),
      ['token_unreadable'],
    )
    assert.equal(await desk(), undefined, 'nothing is minted')
    const raised = async () => (await world.eventTypes('offering.token_')).slice(earlier.length)
    assert.deepEqual(await raised(), ['offering.token_unreadable'])
    const [readTo] = await rows<{ block: string }>('select token_read_to as block from cell.offering where id = $1', [
      issue.offeringId,
    ])
    assert.ok(BigInt(readTo?.block ?? 0) < blockNumber, 'its register is not complete up to that block')
    // A reorg meanwhile removes a block with a transfer of the token.
    await issue.desk.transfer(issue.token, ada.address, ada.address, 2n)
    await index()
    await issue.anvil.reorg(1)
    await issue.anvil.mine(2)
    await index()
    node.refuse = () => undefined
    await issue.anvil.finalize()
    await untilRead()
    assert.equal(await world.orderStatus(minting), 'MINTED')
    assert.deepEqual(await limited(), { isLimited: false, isReported: false })
    assert.deepEqual(await raised(), ['offering.token_unreadable', 'offering.token_readable'])
    assert.equal((await heard()).transactions - earlierHeard.transactions, 1, 'the mint')
    await world.assertExact(issue)
    assert.ok(await desk())
  })
})
