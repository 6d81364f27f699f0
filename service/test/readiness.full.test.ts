import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCluster } from './harness/clusters/cluster.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { ReadinessWatch } from './harness/faults/readiness-watch.ts'
import { assertError } from './harness/installation/api-client.ts'
import { installCells } from './harness/installation/cells.ts'
import { connect, createEmptyDatabase, createTestDatabase, ownerRows } from './harness/installation/database.ts'
import { testSize } from './harness/test-size.ts'
import { until } from './harness/wait.ts'

const seconds = testSize({ short: { locked: 4, busy: 4 }, long: { locked: 30, busy: 60 } })

interface Tenant {
  readonly cell: string
  readonly token: string
  readonly path: string
}

describe('readiness', async () => {
  const tenants: Tenant[] = []

  const databases = [await createTestDatabase(), await createEmptyDatabase()]
  const { server: cluster, remove: removeCluster } = await createCluster()
  const urls = new Map([
    ['main', databases[0]?.url ?? ''],
    ['east', cluster.url],
    ['west', databases[1]?.url ?? ''],
  ])
  const installation = await installCells(urls, { DATABASE_POOL_MAX: '4', DATABASE_LOCK_TIMEOUT_SECONDS: '5' })
  after(async () => {
    await installation.end()
    await removeCluster()
    await Promise.all(databases.map((database) => database.drop()))
  })
  const api = await installation.startApiProcess()
  const apis = [api, await installation.startOperatorApiProcess()]
  for (const [cell, url] of urls) {
    const tenantId = await installation.createTenant(`in ${cell}`, { cell })
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const path = `/offerings/${await new Fixtures(installation, url).offering(tenantId)}`
    tenants.push({ cell, token: await api.token(credential), path })
  }
  for (const one of apis) await one.reports(200, 'ready')

  const get = ({ token, path }: Tenant) => api.call('GET', path, { token })
  const without = (cell: string) => tenants.filter((tenant) => tenant.cell !== cell)

  /** Locks tables in cells while it works. */
  async function whileLocked(cells: readonly string[], tables: string, work: () => Promise<void>): Promise<void> {
    const clients = await Promise.all(cells.map((cell) => connect(urls.get(cell) ?? '')))
    try {
      for (const client of clients) {
        await client.query('begin')
        await client.query(`lock table ${tables} in access exclusive mode`)
      }
      await work()
    } finally {
      await Promise.all(clients.map((client) => client.end()))
    }
  }

  /** Sends enough concurrent requests to fill each pool several times, until the work is done. */
  async function whileBusy(busy: readonly Tenant[], work: () => Promise<void>): Promise<void> {
    let isOver = false
    const callers = busy.flatMap((tenant) =>
      Array.from({ length: 8 }, async () => {
        while (!isOver) {
          await get(tenant)
          await sleep(20)
        }
      }),
    )
    try {
      await work()
    } finally {
      isOver = true
    }
    await Promise.all(callers)
  }

  /** Asserts that the tenants keep getting 200 for so long. */
  async function served(healthy: readonly Tenant[], forSeconds: number): Promise<void> {
    const endsAt = performance.now() + forSeconds * 1_000
    while (performance.now() < endsAt) {
      for (const tenant of healthy) {
        const { status, text } = await get(tenant)
        assert.equal(status, 200, `${tenant.cell}: ${text}\n${api.process.output.slice(-5).join('\n')}`)
      }
      await sleep(100)
    }
  }

  test('a table locked for 30 s: no pod leaves for it, and requests of healthy cells are served', async () => {
    const watch = ReadinessWatch.start(apis)
    const tables = 'cell.token_order, cell.offering, cell.migration, cell.identity'
    await whileLocked([...urls.keys()], tables, () => whileBusy(tenants, () => sleep(seconds.locked * 1_000)))
    await until('all are served again', async () =>
      (await Promise.all(tenants.map(get))).every(({ status }) => status === 200),
    )
    await whileLocked(['west'], tables, () =>
      whileBusy(
        tenants.filter(({ cell }) => cell === 'west'),
        () => served(without('west'), seconds.locked),
      ),
    )
    assert.deepEqual(await watch.stop(), [])
  })

  test('a pool at its limit for 60 s: no pod leaves for it, and requests of healthy cells are served', async () => {
    const watch = ReadinessWatch.start(apis)
    const west = tenants.filter(({ cell }) => cell === 'west')
    await whileLocked(['west'], 'cell.offering', () => whileBusy(west, () => served(without('west'), seconds.busy)))
    // The first cell contains the directory, so its pool is busy, too.
    await whileLocked([...urls.keys()], 'cell.offering', () => whileBusy(tenants, () => sleep(seconds.busy * 1_000)))
    assert.deepEqual(await watch.stop(), [])
  })

  test('one of three cells behind on migrations: its requests get 503, no pod leaves, and the others are served', async () => {
    const west = tenants.find(({ cell }) => cell === 'west')
    assert.ok(west)
    await until('the cell is served', async () => (await get(west)).status === 200)
    const watch = ReadinessWatch.start(apis)
    const onWest = (statement: string) => ownerRows(urls.get('west') ?? '', statement)
    await onWest(`update cell.migration set name = 'not ' || name where name like '0002%'`)
    await until('the cell is closed', async () => (await get(west)).status === 503)
    const closed = await get(west)
    assertError(closed, 503, 'unavailable')
    assert.match(closed.text, /The database of your tenant is being upgraded/)
    assert.match(closed.headers.get('retry-after') ?? '', /^\d+$/)
    await api.reports(200, 'degraded', { 'cell west': 'behind', 'cell main': 'ok', migrations: 'behind' })
    await served(without('west'), 2)
    await onWest(`update cell.migration set name = substr(name, 5) where name like 'not %'`)
    await until('the cell is open again', async () => (await get(west)).status === 200)
    await api.reports(200, 'ready')
    assert.deepEqual(await watch.stop(), [])
  })

  test('one of three cells down: no pod leaves, and the others are served', async () => {
    const watch = ReadinessWatch.start(apis)
    await cluster.stop()
    await api.reports(200, 'degraded', { 'cell east': 'down', 'cell main': 'ok', 'cell west': 'ok' })
    await served(without('east'), 2)
    await cluster.start()
    await until('the cell is served again', async () =>
      (await Promise.all(tenants.map(get))).every(({ status }) => status === 200),
    )
    await api.reports(200, 'ready')
    assert.deepEqual(await watch.stop(), [])
  })

  test('a directory behind on migrations, or no cell that can be served: the pod leaves', async () => {
    const onMain = (statement: string) => ownerRows(urls.get('main') ?? '', statement)
    await onMain(`update directory.migration set name = 'not ' || name where name like '0002%'`)
    await api.reports(503, 'unavailable', { directory: 'behind', migrations: 'behind' })
    await onMain(`update directory.migration set name = substr(name, 5) where name like 'not %'`)
    await api.reports(200, 'ready')
  })
})
