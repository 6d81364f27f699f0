import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { migrate } from '../src/maintain/migrate/migrate.ts'
import { createCluster } from './harness/clusters/cluster.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { type ApiResponse, assertError } from './harness/installation/api-client.ts'
import { installCells } from './harness/installation/cells.ts'
import { createEmptyDatabase, createTestDatabase, ownerRows } from './harness/installation/database.ts'
import { until } from './harness/wait.ts'

describe('cells', async () => {
  const tenants: { cell: string; token: string; path: string }[] = []

  const database = await createTestDatabase()
  const { server: cluster, remove: removeCluster } = await createCluster()
  const cells = new Map([
    ['main', database.url],
    ['east', cluster.url],
  ])
  const installation = await installCells(cells)
  after(async () => {
    await installation.end()
    await removeCluster()
    await database.drop()
  })
  const api = await installation.startApi()
  for (const [cell, url] of cells) {
    const tenantId = await installation.createTenant(`in ${cell}`, { cell })
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1_000 })
    const path = `/offerings/${await new Fixtures(installation, url).offering(tenantId)}`
    tenants.push({ cell, token: await api.token(credential), path })
  }

  const get = ({ token, path }: { token: string; path: string }) => api.call('GET', path, { token })

  test("one process serves the tenants of both cells, each from its own cell's database", async () => {
    for (const tenant of tenants) assert.equal((await get(tenant)).status, 200)
    assert.equal((await ownerRows(cluster.url, 'select from cell.offering')).length, 1)
    const [main, east] = tenants
    if (!main || !east) throw new Error('two tenants')
    assertError(await api.call('GET', east.path, { token: main.token }), 404, 'not_found')
  })

  test('while a cell is down, only its tenants get 503; after its restart the process reconnects', async () => {
    const [main, east] = tenants
    if (!main || !east) throw new Error('two tenants')
    await cluster.stop()
    for (let count = 0; count < 10; count++) {
      const mine: ApiResponse = await get(main)
      const theirs: ApiResponse = await get(east)
      assert.equal(mine.status, 200)
      assertError(theirs, 503, 'unavailable')
      assert.match(theirs.headers.get('retry-after') ?? '', /^\d+$/)
      assert.doesNotMatch(theirs.text, /ECONN|postgres|5432|sql/i)
    }
    await api.reports(200, 'degraded', { 'cell east': 'down', 'cell main': 'ok' })
    await cluster.start()
    await until('the cell is served again', async () => (await get(east)).status === 200)
    await api.reports(200, 'ready')
  })

  test('with two swapped cell URLs, no tenant is served', async () => {
    const swapped = await installation.startApi({ CELLS: `main=${cluster.url} east=${database.url}` })
    for (const { token, path } of tenants) assert.ok((await swapped.call('GET', path, { token })).status >= 500)
    // The reason must be the name of the cell, and not missing rows.
    assert.ok(swapped.process.output.some((line) => line.includes('lists this database as cell')))
  })

  test('migrate rejects a database that is another cell', async () => {
    const owners = { ownerDatabaseUrl: database.url, ownerCells: new Map([['west', database.url]]) }
    await assert.rejects(
      migrate(owners, () => {}),
      /given for cell west is cell main/,
    )
    const empty = await createEmptyDatabase()
    try {
      const twice = {
        ownerDatabaseUrl: empty.url,
        ownerCells: new Map([
          ['a', empty.url],
          ['b', empty.url],
        ]),
      }
      await assert.rejects(
        migrate(twice, () => {}),
        /Cells a and b have the same database/,
      )
    } finally {
      await empty.drop()
    }
  })
})
