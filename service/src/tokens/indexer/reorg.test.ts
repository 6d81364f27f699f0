import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hexToNumber } from 'viem'
import { type Anvil, startWayTo } from '../../../test/harness/anvil.ts'
import { type Holder, IndexedWorld, type Issue } from '../../../test/harness/indexed-world.ts'
import { until } from '../../../test/harness/wait.ts'
import { mintCall } from '../chain/contracts.ts'
import { FinalityBroken } from './chain-indexer.ts'
import { CursorMoved } from './cursor.sql.ts'

describe('a chain that is reorganised', () => {
  let world: IndexedWorld
  let anvil: Anvil
  let issue: Issue
  let ada: Holder

  before(async () => {
    world = await IndexedWorld.create()
    anvil = await world.startChain()
    issue = await world.issue('anvil', anvil)
    ada = await world.holder(issue)
    await anvil.finalize()
    await world.index(issue)
  })
  after(() => world.end())

  test('a mint that is dropped is no longer shown, its order goes on waiting, and no balance ever had it', async () => {
    const orderId = await world.order(issue, ada)
    await issue.desk.mint(issue.token, { orderId, to: ada.address, units: 100n })
    await world.index(issue)
    assert.equal((await world.transactions(ada.accountId)).length, 1)
    await anvil.reorg(1)
    await anvil.mine()
    await world.index(issue)
    assert.deepEqual(await world.transactions(ada.accountId), [])
    await anvil.finalize()
    await world.index(issue)
    assert.deepEqual(await world.balances(ada.accountId), {})
    assert.equal(await world.orderStatus(orderId), 'MINTING')
    await world.assertExact(issue)
  })

  test('a mint that moves to another block is shown once and counts once', async () => {
    const orderId = await world.order(issue, ada)
    const mint = mintCall(issue.desk.address, issue.token, [{ orderId, to: ada.address, units: 100n }])
    const first = await anvil.send(issue.desk.signer, mint)
    await anvil.mine()
    await world.index(issue)
    await anvil.reorg(2, [[{ ...mint, from: issue.desk.signer }, 1]])
    await world.index(issue)
    const [moved, ...others] = await world.transactions(ada.accountId)
    assert.deepEqual([moved.units, moved.status, others.length], ['100', 'pending', 0])
    const { rows } = await world.installation.owner((client) =>
      client.query('select distinct block_number::int as number from cell.token_log'),
    )
    assert.deepEqual(rows, [{ number: Number(first.blockNumber) + 1 }])
    await anvil.finalize()
    await world.index(issue)
    assert.deepEqual(await world.balances(ada.accountId), { [ada.walletId]: '100' })
    assert.equal(await world.orderStatus(orderId), 'MINTED')
    await world.assertExact(issue)
  })

  test('each block stands on the one before it, also when the chain is reorganised while it is read', async () => {
    const shown = (await world.transactions(ada.accountId)).length
    await world.mint(issue, ada)
    await anvil.mine(2)
    const head = Number(await anvil.head())
    let isDone = false
    const way = await startWayTo(anvil, {
      before: async ({ method, params }) => {
        const [number] = params
        const isSecond = method === 'eth_getBlockByNumber' && String(number).startsWith('0x')
        if (isDone || !isSecond || hexToNumber(number as `0x${string}`) !== head - 1) return
        isDone = true
        await anvil.reorg(3)
        await anvil.mine()
      },
    })
    try {
      await world.index(issue, world.indexer('anvil', way.url))
    } finally {
      way.close()
    }
    assert.ok(isDone)
    await anvil.finalize()
    await world.index(issue)
    assert.equal((await world.transactions(ada.accountId)).length, shown)
    await world.assertExact(issue)
  })

  test('who was overtaken while the node answered writes nothing of what it was told', async () => {
    const shown = (await world.transactions(ada.accountId)).length
    await world.mint(issue, ada)
    const told = Promise.withResolvers<void>()
    const overtaken = Promise.withResolvers<void>()
    const way = await startWayTo(anvil, {
      after: async ({ method }) => {
        if (method !== 'eth_getLogs') return
        told.resolve()
        await overtaken.promise
      },
    })
    try {
      const slow = world.indexer('anvil', way.url).readToHead()
      await told.promise
      await anvil.reorg(1)
      await anvil.mine()
      await world.index(issue)
      overtaken.resolve()
      await assert.rejects(slow, CursorMoved)
    } finally {
      way.close()
    }
    assert.equal((await world.transactions(ada.accountId)).length, shown)
    await world.assertExact(issue)
  })

  test('a chain that is shorter than it was is waited for, and followed where it goes', async () => {
    const shown = (await world.transactions(ada.accountId)).length
    const snapshot = await anvil.ask('evm_snapshot')
    await world.mint(issue, ada)
    await anvil.mine()
    await world.index(issue)
    assert.equal((await world.transactions(ada.accountId)).length, shown + 1)
    await anvil.ask('evm_revert', snapshot)
    await world.index(issue)
    await world.mint(issue, ada, 7n)
    await anvil.mine(2)
    await world.index(issue)
    const rows = await world.transactions(ada.accountId)
    assert.deepEqual([rows.length, rows.at(-1).units], [shown + 1, '7'])
    await anvil.finalize()
    await world.index(issue)
    await world.assertExact(issue)
  })

  test('over two chains, what is left of an account has positions without a hole and pages that are exact', async () => {
    const other = await world.issue('ethereum', await world.startChain())
    const here = await world.holder(issue)
    const there = await world.holder(other, here.accountId)
    await anvil.finalize()
    await other.anvil.finalize()
    const both = async () => {
      await world.index(issue)
      await world.index(other)
    }
    await both()
    for (const units of [1n, 2n, 3n]) {
      await world.mint(issue, here, units)
      await world.mint(other, there, units * 10n)
      await both()
    }
    const units = async () => (await world.transactions(here.accountId)).map((row) => row.units)
    assert.deepEqual(await units(), ['1', '10', '2', '20', '3', '30'])
    await anvil.reorg(2)
    await both()
    assert.deepEqual(await units(), ['1', '10', '20', '30'])
    await world.assertExact(issue, other)
    await world.mint(issue, here, 4n)
    await other.anvil.reorg(3)
    await both()
    assert.deepEqual(await units(), ['1', '4'])
    const page = await world.tenant.get(`/accounts/${here.accountId}/transactions?offset=1`)
    assert.deepEqual([page.body.pagination.count, page.body.results[0].units], [2, '1'])
    await anvil.finalize()
    await other.anvil.finalize()
    await both()
    assert.deepEqual(await world.balances(here.accountId), { [here.walletId]: '5' })
    await world.assertExact(issue, other)
  })

  test('one that is deeper than finality stops the chain, says so, and changes nothing', async () => {
    await world.mint(issue, ada)
    await anvil.finalize()
    const indexer = await world.installation.startIndexer({ CHAINS: `anvil=${anvil.url}` })
    const { port } = await indexer.logged('listening')
    const ready = async () => {
      const response = await fetch(`http://127.0.0.1:${Number(port)}/readyz`)
      return { code: response.status, ...((await response.json()) as { checks: Record<string, string> }) }
    }
    await until('it follows', async () => (await ready()).checks['chain anvil, cell main'] === 'following')
    assert.equal((await ready()).code, 200)
    await world.assertExact(issue)
    const content = () =>
      world.installation.owner(async (client) => {
        const tables = ['chain_cursor', 'chain_block', 'token_log', 'token_transaction', 'wallet_balance', 'account']
        const contents = []
        for (const table of tables)
          contents.push((await client.query(`select * from cell.${table} order by 1, 2, 3`)).rows)
        return contents
      })
    const earlier = await content()
    await anvil.reorg(9)
    await anvil.mine(2)
    const { err } = await indexer.logged('the chain has broken its finality: reading it has stopped')
    assert.match(String((err as { message: string }).message), /^Block \d+ was final/)
    await until('it is not ready', async () => (await ready()).code === 503)
    assert.equal((await ready()).checks['chain anvil, cell main'], 'stopped')
    await assert.rejects(world.index(issue), FinalityBroken)
    assert.deepEqual(await content(), earlier)
    assert.equal(await indexer.stop(), 0)
  })
})
