import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import type { RunningApi } from '../../../test/harness/installation/running-api.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { camt053 } from '../../../test/harness/money/camt053.ts'
import { assertMoneyAddsUp } from '../../../test/harness/money/money-check.ts'
import { until } from '../../../test/harness/wait.ts'

const preload = [fileURLToPath(new URL('../../../test/harness/faults/kill-statement.ts', import.meta.url))]
const entryCount = 2_000
const orderCount = 20

describe('a statement whose processes are killed during import or matching', async () => {
  const installation = await TestInstallation.create()
  const uploads = await mkdtemp(join(tmpdir(), 'uploads-'))
  after(async () => {
    await installation.end()
    await rm(uploads, { recursive: true, force: true })
  })
  const tenant = await TestTenant.create(installation, await installation.startApiProcess())
  const operator = await installation.createOperator(tenant.id, { role: 'operator' })
  const operatorApi = await installation.operatorApi()
  const [offeringId, accountId] = [await tenant.fixtures.offering(tenant.id), await tenant.account()]
  const references: string[] = []
  for (let made = 0; made < orderCount; made += 1) {
    const id = await tenant.order(offeringId, accountId)
    references.push((await operatorApi.call(tenant.id, 'GET', `/orders/${id}`)).payment_reference)
  }
  // Two of three entries pay a cent of one of the orders; every third names no order.
  const entries = Array.from({ length: entryCount }, (_, index) => ({
    amount: '0.01',
    bankReference: `B${index}`,
    ...(index % 3 === 2 ? {} : { creditorReference: references[index % orderCount] ?? '' }),
  }))
  const xml = camt053({ entries })

  const upload = (api: RunningApi) =>
    fetch(`${api.baseUrl}/operator/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/xml' },
      body: xml,
    })
  const count = async (query: string): Promise<number> => {
    const rows = await installation.rows<{ count: number }>(query)
    return rows[0]?.count ?? -1
  }

  test('an API process killed during the import leaves no row and no file; the next import is complete', async () => {
    for (const killAfter of ['0', '1']) {
      const settings = { KILL_ON: 'insert into cell.bank_entry', KILL_AFTER: killAfter, TMPDIR: uploads }
      const doomed = await installation.startOperatorApiProcess(settings, preload)
      await assert.rejects(upload(doomed))
      await doomed.process.ended
      await until(
        'PostgreSQL has ended the transaction',
        async () =>
          (await count(`select count(*)::int from pg_locks where locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`)) === 0,
      )
      assert.equal(await count('select count(*)::int from cell.bank_statement'), 0)
      assert.equal(await count('select count(*)::int from cell.bank_entry'), 0)
      assert.deepEqual(await readdir(uploads), [])
    }
    const response = await upload(await installation.startOperatorApiProcess({ TMPDIR: uploads }))
    assert.equal(response.status, 201)
    assert.equal(await count('select count(*)::int from cell.bank_entry'), entryCount)
    assert.deepEqual(await readdir(uploads), [])
  })

  test('each entry takes effect once, however often a worker is killed while matching', async () => {
    const pendingCount = () => count(`select count(*)::int from cell.bank_entry where state = 'pending'`)
    let last = entryCount
    // Kills a worker during the first batch, before the fourth batch commits, and at a moment in between.
    for (const [killOn, killAfter] of [
      ['insert into cell.unassigned_payment', 10],
      ['update cell.bank_entry', 3],
      ['insert into cell.payment', 40],
    ] as const) {
      const settings = { KILL_ON: killOn, KILL_AFTER: String(killAfter), NODE_OPTIONS: `--import ${preload[0]}` }
      const doomed = await installation.startWithoutWaiting('worker', settings)
      await Promise.race([doomed.ended, sleep(60_000, undefined, { ref: false })])
      const now = await pendingCount()
      assert.ok(now <= last && now > 0, `${now} pending after ${last}`)
      await assertMoneyAddsUp(installation, tenant.id)
      last = now
    }
    assert.ok(last < entryCount, 'a killed worker had processed some entries')
    await installation.startWorkerProcess()
    await until('all entries are processed', async () => (await pendingCount()) === 0)

    const booked = Array.from({ length: entryCount }, (_, index) => index).filter((index) => index % 3 !== 2).length
    assert.equal(await count('select count(*)::int from cell.payment'), booked)
    assert.equal(await count('select (sum(amount) * 100)::int as count from cell.payment'), booked)
    assert.equal(await count('select count(*)::int from cell.unassigned_payment'), entryCount - booked)
    assert.equal(await count('select (sum(paid_amount) * 100)::int as count from cell.token_order'), booked)
    assert.equal(await count('select booked_count as count from cell.bank_statement'), booked)
    assert.equal(await count('select unassigned_count as count from cell.bank_statement'), entryCount - booked)
    await assertMoneyAddsUp(installation, tenant.id)
    const eventCount = await count(`select count(*)::int from (
      select from cell.event where type = 'payment.received'
      union all select from cell.event_outbox where type = 'payment.received') events`)
    assert.equal(eventCount, booked)
  })
})
