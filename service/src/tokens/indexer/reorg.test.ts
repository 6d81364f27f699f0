import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hexToNumber } from 'viem'
import { startProxyTo } from '../../../test/harness/chain/anvil.ts'
import { lastReadiness } from '../../../test/harness/installation/log-lines.ts'
import { IndexedWorld } from '../../../test/harness/tokens/indexed-world.ts'
import { until } from '../../../test/harness/wait.ts'
import { mintCall } from '../chain/contracts.ts'
import { FinalityViolation } from './chain-indexer.ts'
import { CursorMoved } from './cursor.sql.ts'

describe('reorgs', async () => {
  const world = await IndexedWorld.create()
  after(() => world.end())
  const anvil = await world.startChain()
  const issue = await world.issue('anvil', anvil)
  const ada = await world.holder(issue)
  await world.finalize(issue)

  test('a mint in an orphaned block is removed, its order stays MINTING, and no balance ever contained it', async () => {
    const orderId = await world.order(issue, ada)
    await issue.desk.mint(issue.token, { orderId, to: ada.address, units: 100n })
    await world.index(issue)
    assert.equal((await world.transactions(ada.accountId)).length, 1)
    await anvil.reorg(1)
    await anvil.mine()
    await world.index(issue)
    assert.deepEqual(await world.transactions(ada.accountId), [])
    await world.finalize(issue)
    assert.deepEqual(await world.balances(ada.accountId), {})
    assert.equal(await world.orderStatus(orderId), 'MINTING')
    await world.assertExact(issue)
  })

  test('a mint that moves to another block is listed once and counted once', async () => {
    const orderId = await world.order(issue, ada)
    const mint = mintCall(issue.desk.address, issue.token, [{ orderId, to: ada.address, units: 100n }])
    const first = await anvil.send(issue.desk.signer, mint)
    await anvil.mine()
    await world.index(issue)
    await anvil.reorg(2, [[{ ...mint, from: issue.desk.signer }, 1]])
    await world.index(issue)
    const [moved, ...others] = await world.transactions(ada.accountId)
    assert.deepEqual([moved.units, moved.status, others.length], ['100', 'pending', 0])
    const rows = await world.installation.rows('select distinct block_number::int as number from cell.token_log')
    assert.deepEqual(rows, [{ number: Number(first.blockNumber) + 1 }])
    await world.finalize(issue)
    assert.deepEqual(await world.balances(ada.accountId), { [ada.walletId]: '100' })
    assert.equal(await world.orderStatus(orderId), 'MINTED')
    await world.assertExact(issue)
  })

  test('a reorg while blocks are being read mixes no branches, and is no failure of the indexer', async () => {
    const listed = (await world.transactions(ada.accountId)).length
    await world.mint(issue, ada)
    await anvil.mine(2)
    const head = Number(await anvil.head())
    let hasReorged = false
    const proxy = await startProxyTo(anvil, {
      before: async ({ method, params }) => {
        const [number] = params
        const isSecond = method === 'eth_getBlockByNumber' && String(number).startsWith('0x')
        if (hasReorged || !isSecond || hexToNumber(number as `0x${string}`) !== head - 1) return
        hasReorged = true
        await anvil.reorg(3)
        await anvil.mine()
      },
    })
    const earlier = world.logged.length
    const followed = world.follow('anvil', proxy.url)
    try {
      await until('the reorg is followed', () => hasReorged && followed.state() === 'following')
    } finally {
      await followed.stop()
      proxy.close()
    }
    const states = world.logged.slice(earlier).flatMap(({ status }) => status ?? [])
    assert.deepEqual(states, ['following'])
    await world.finalize(issue)
    assert.equal((await world.transactions(ada.accountId)).length, listed)
    await world.assertExact(issue)
  })

  test('an indexer that is overtaken during a node call discards its result', async () => {
    const listed = (await world.transactions(ada.accountId)).length
    await world.mint(issue, ada)
    const responded = Promise.withResolvers<void>()
    const overtaken = Promise.withResolvers<void>()
    const proxy = await startProxyTo(anvil, {
      after: async ({ method }) => {
        if (method !== 'eth_getLogs') return
        responded.resolve()
        await overtaken.promise
      },
    })
    try {
      const slow = world.indexer('anvil', proxy.url).readToHead()
      await responded.promise
      await anvil.reorg(1)
      await anvil.mine()
      await world.index(issue)
      overtaken.resolve()
      await assert.rejects(slow, CursorMoved)
    } finally {
      proxy.close()
    }
    assert.equal((await world.transactions(ada.accountId)).length, listed)
    await world.assertExact(issue)
  })

  test('the indexer waits for a chain that became shorter, and follows its new branch', async () => {
    const listed = (await world.transactions(ada.accountId)).length
    const snapshot = await anvil.rpc('evm_snapshot')
    await world.mint(issue, ada)
    await anvil.mine()
    await world.index(issue)
    assert.equal((await world.transactions(ada.accountId)).length, listed + 1)
    await anvil.rpc('evm_revert', snapshot)
    await world.index(issue)
    await world.mint(issue, ada, 7n)
    await anvil.mine(2)
    await world.index(issue)
    const rows = await world.transactions(ada.accountId)
    assert.deepEqual([rows.length, rows.at(-1).units], [listed + 1, '7'])
    await world.finalize(issue)
    await world.assertExact(issue)
  })

  test('after reorgs on two chains the remaining transactions of an account have gapless positions and exact pages', async () => {
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

  test('a reorg below the finalized block stops the indexer, is reported, and changes nothing', async () => {
    await world.mint(issue, ada)
    await anvil.finalize()
    const indexer = await world.installation.startIndexerProcess({ CHAINS: `anvil=${anvil.url}` })
    const { port } = await indexer.logged('listening')
    const ready = async () => {
      const response = await fetch(`http://127.0.0.1:${Number(port)}/readyz`)
      await response.text()
      return { code: response.status, state: lastReadiness(indexer).checks['chain anvil, cell main'] }
    }
    const isExact = () =>
      world.assertExact(issue).then(
        () => true,
        () => false,
      )
    await until('the indexer follows', async () => (await ready()).code === 200 && (await isExact()))
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
    const { err } = await indexer.logged('the chain replaced a finalized block: indexing has stopped')
    assert.match(String((err as { message: string }).message), /^Block \d+ was finalized/)
    await until('the indexer is not ready', async () => (await ready()).code === 503)
    await until('it reports that it has stopped', async () => (await ready()).state === 'stopped')
    await assert.rejects(world.index(issue), FinalityViolation)
    assert.deepEqual(await content(), earlier)
    assert.equal(await indexer.stop(), 0)
  })
})
