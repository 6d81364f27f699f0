import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastReadiness } from '../../../test/harness/installation/log-lines.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { testSize } from '../../../test/harness/test-size.ts'
import { IndexedWorld } from '../../../test/harness/tokens/indexed-world.ts'
import { until } from '../../../test/harness/wait.ts'

describe('several and killed indexers', async () => {
  const world = await IndexedWorld.create()
  after(() => world.end())
  const anvil = await world.startChain()
  const issue = await world.issue('anvil', anvil)
  const ada = await world.holder(issue)
  const bob = await world.holder(issue)
  await world.mint(issue, ada, 100_000n)

  const counts = async () => [(await count(ada.accountId)) ?? 0, (await count(bob.accountId)) ?? 0]
  const count = async (accountId: string) =>
    (await world.tenant.get(`/accounts/${accountId}/transactions`)).body.pagination.count

  async function events(type: string): Promise<number> {
    const rows = await world.installation.rows<{ count: number }>(
      `select (select count(*) from cell.event where type = $1)::int
              + (select count(*) from cell.event_outbox where type = $1)::int as count`,
      [type],
    )
    return rows[0]?.count ?? 0
  }

  const { transfers, kills } = testSize({ short: { transfers: 150, kills: 6 }, long: { transfers: 500, kills: 20 } })

  test(`an indexer killed ${kills} times at random during ${transfers} transfers has each of them once`, async () => {
    const random = seededRandom(20)
    let isOver = false
    const sending = (async () => {
      for (let sent = 0; sent < transfers; sent += 1) {
        await issue.desk.transfer(issue.token, ada.address, bob.address, 1n)
        if (!isOver) await sleep(30)
      }
    })()
    const settings = { CHAINS: `anvil=${anvil.url}` }
    for (let killed = 0; killed < kills; killed += 1) {
      const indexer = await world.installation.startIndexerProcess(settings)
      await sleep(random() * 300)
      await indexer.kill()
    }
    isOver = true
    await sending
    await anvil.finalize()
    const last = await world.installation.startIndexerProcess(settings)
    const isComplete = async () => (await events('transaction.confirmed')) >= 1 + 2 * transfers
    await until('the last indexer has caught up', isComplete)
    assert.deepEqual(await counts(), [1 + transfers, transfers])
    assert.equal(await events('transaction.confirmed'), 1 + 2 * transfers)
    assert.deepEqual(await world.balances(bob.accountId), { [bob.walletId]: String(transfers) })
    await world.assertExact(issue)
    assert.equal(await last.stop(), 0)
  })

  test('one of two processes indexes; the other continues when it is killed', async () => {
    const settings = { CHAINS: `anvil=${anvil.url}`, METRICS_HOST: '127.0.0.2' }
    const first = await world.installation.startIndexerProcess(settings)
    const state = async (process: typeof first) => {
      const { port } = await process.logged('listening')
      await (await fetch(`http://127.0.0.2:${Number(port)}/readyz`)).text()
      return lastReadiness(process).checks['chain anvil, cell main']?.split(',')[0]
    }
    await until('the first indexer follows', async () => (await state(first)) === 'following')
    const second = await world.installation.startIndexerProcess(settings)
    await until('the second indexer is on standby', async () => (await state(second)) === 'standby')
    await first.kill()
    await until('the second indexer follows', async () => (await state(second)) === 'following')
    // An indexer that loses its connection loses the lease, and acquires it again.
    // Restricted to this database, because other tests use the same server.
    await world.installation.rows(
      `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = pg_locks.database
         where locktype = 'advisory' and datname = current_database()`,
    )
    const earlier = await count(bob.accountId)
    await issue.desk.transfer(issue.token, ada.address, bob.address, 1n)
    await until('the second indexer continues', async () => (await count(bob.accountId)) === earlier + 1)
    await second.stop()
  })

  test('three concurrent indexers during reorgs leave the same rows as one', async () => {
    let isOver = false
    const index = async () => {
      const indexer = world.indexer('anvil', anvil.url)
      while (!isOver) await world.index(issue, indexer).catch(() => sleep(1))
    }
    const indexing = [index(), index(), index()]
    const random = seededRandom(3)
    for (let transfer = 0; transfer < 60; transfer += 1) {
      await issue.desk.transfer(issue.token, ada.address, bob.address, 1n)
      if (random() < 0.3) await anvil.reorg(1 + Math.floor(random() * 3))
      if (random() < 0.5) await anvil.mine()
    }
    isOver = true
    await Promise.all(indexing)
    await world.finalize(issue)
    await world.assertExact(issue)
    const received = await issue.desk.balanceOf(issue.token, bob.address)
    assert.equal(await count(bob.accountId), Number(received))
    const rows = await world.installation.rows('select from cell.token_log where applied_at is null')
    assert.equal(rows.length, 0)
  })
})
