import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { addressOf } from '../src/platform/postgres/cell-address.ts'
import { individual } from './harness/data/bodies.ts'
import { createEmptyDatabase, createTestDatabase, ownerRows, redisUrl } from './harness/installation/database.ts'
import { inviteTwo } from './harness/installation/maintain-commands.ts'
import { runMaintain, runMaintainJson } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { until } from './harness/wait.ts'

describe('cells of the directory', async () => {
  const directory = await createTestDatabase()
  const east = await createEmptyDatabase()
  const installation = new TestInstallation({ DATABASE_URL: directory.url, REDIS_URL: redisUrl })
  after(async () => {
    await installation.end()
    await directory.drop()
    await east.drop()
  })
  const api = await installation.startApi()
  await installation.startWorker()

  const maintain = (command: string | readonly string[]) => runMaintain(command, installation.settings)
  const createTenant = (name: string, ...args: string[]) =>
    runMaintainJson(['create-tenant', '--name', name, ...inviteTwo, ...args], installation.settings)

  test('an address with a login is rejected: the directory stores no passwords', async () => {
    const { code, output } = await maintain('add-cell --cell east --address postgres://app:secret@h/d')
    assert.equal(code, 1)
    assert.match(output, /must not contain a login/)
  })

  test('running processes use a new cell, and new tenants go where most room is', async () => {
    const address = addressOf(east.url)
    const added = await maintain(`add-cell --cell east --address ${address} --capacity 900 --jurisdiction EU`)
    assert.equal(added.code, 0, added.output)

    const { tenant_id: tenantId, cell } = await createTenant('In the roomier cell')
    assert.equal(cell, 'east')
    const token = await api.token(await installation.issueCredential(tenantId))
    const headers = { 'x-idempotency-key': randomUUID() }
    assert.equal((await api.call('POST', '/accounts', { token, headers, body: individual })).status, 201)

    // The loops of the worker run in the new cell.
    await until('the worker numbers the event', async () => {
      return (await ownerRows(east.url, 'select from cell.event')).length > 0
    })
    await until('the worker measures the cell', async () => {
      const measured = `select from directory.cell where name = 'east' and used_bytes > 0 and tenant_count = 1`
      return (await installation.rows(measured)).length === 1
    })
  })

  test('a full cell gets no new tenant unless it is named; the jurisdiction is kept', async () => {
    assert.equal((await maintain('set-cell-state --cell east --state full')).code, 0)
    assert.equal((await createTenant('Elsewhere')).cell, 'main')
    assert.equal((await createTenant('Named', '--cell', 'east')).cell, 'east')
    const rejected = await maintain(['create-tenant', '--name', 'E', '--jurisdiction', 'EU', ...inviteTwo])
    assert.equal(rejected.code, 1)
    assert.match(rejected.output, /No open cell in EU has room/)
    const listed = await runMaintainJson('list-cells', installation.settings)
    const cells: { cell: string; state: string; tenants: number }[] = listed.cells
    assert.deepEqual(
      cells.map(({ cell, state, tenants }) => [cell, state, tenants]),
      [
        ['east', 'full', 2],
        ['main', 'open', 1],
      ],
    )
  })

  test('migrate migrates the cells that the directory lists', async () => {
    // Pretends that the last cell migration has not run. It creates nothing that exists, so it can run twice.
    await ownerRows(east.url, `delete from cell.migration where name like '0026%'`)
    const { code, output } = await maintain('migrate')
    assert.equal(code, 0, output)
    assert.match(output, /cell\/0026_chain_op_kinds/)
  })
})
