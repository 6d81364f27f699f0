import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { TObject } from 'typebox'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { Placement } from '../postgres/cells/placement.ts'
import { inTenantTransaction } from '../postgres/cells/tenant-transaction.ts'
import { sql } from '../postgres/sql.ts'
import type { Transaction } from '../postgres/transaction.ts'
import { enqueueJob } from './enqueue.sql.ts'

describe('enqueueing a job under a key', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const [tenantId, otherTenantId] = [await installation.createTenant('A'), await installation.createTenant('B')]

  const inTransaction = (id: string, work: (tx: Transaction) => Promise<void>) => {
    const { databases } = installation
    const context = { databases, placement: new Placement(databases) }
    return inTenantTransaction(context, { tenantId: id, access: 'write' }, work)
  }
  /** Each test uses its own task, and the same key. */
  const enqueue = (tx: Transaction, name: string, id = tenantId) =>
    enqueueJob(tx, { name, payload: {} as TObject, keyOf: () => 'key' }, { tenant_id: id })
  const payloadsOf = async (task: string): Promise<{ tenant_id: string }[]> => {
    const rows = await installation.rows<{ payload: { tenant_id: string } }>(
      `select payload from graphile_worker._private_jobs jobs
       join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
       where tasks.identifier = $1 order by jobs.id`,
      [task],
    )
    return rows.map(({ payload }) => payload)
  }

  test('several changes cause one job', async () => {
    for (let count = 0; count < 3; count += 1) await inTransaction(tenantId, (tx) => enqueue(tx, 'several'))
    assert.equal((await payloadsOf('several')).length, 1)
  })

  test("a tenant cannot replace another tenant's job with the same key", async () => {
    await inTransaction(tenantId, (tx) => enqueue(tx, 'private'))
    await inTransaction(otherTenantId, (tx) => enqueue(tx, 'private', otherTenantId))
    assert.deepEqual(await payloadsOf('private'), [{ tenant_id: tenantId }, { tenant_id: otherTenantId }])
  })

  test('a change that commits while a worker starts the job causes another job', async () => {
    await inTransaction(tenantId, (tx) => enqueue(tx, 'starting'))
    await installation.owner(async (worker) => {
      await worker.query('begin')
      await worker.query(
        `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'
        where key = $1`,
        [`${tenantId}:starting:key`],
      )
      const enqueuing = inTransaction(tenantId, (tx) => enqueue(tx, 'starting'))
      await until('the enqueuing waits', async () => (await waitingForLocks(installation)) === 1)
      await worker.query('commit')
      await enqueuing
    })
    assert.equal((await payloadsOf('starting')).length, 2)
  })

  test('two transactions that enqueue under one key do not wait for each other', async () => {
    // The first job of a task also inserts the task, and the queue itself makes others wait for that.
    await inTransaction(otherTenantId, (tx) => enqueue(tx, 'concurrent', otherTenantId))
    await inTransaction(tenantId, async (tx) => {
      await enqueue(tx, 'concurrent')
      // The job travels with the next statement.
      await tx.rows(sql`select`)
      await inTransaction(tenantId, (other) => enqueue(other, 'concurrent'))
    })
    assert.equal((await payloadsOf('concurrent')).filter(({ tenant_id: id }) => id === tenantId).length, 2)
  })
})
