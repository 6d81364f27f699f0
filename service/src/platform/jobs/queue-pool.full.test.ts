import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createCluster } from '../../../test/harness/clusters/cluster.ts'
import { asOwner, createTestDatabase, redisUrl } from '../../../test/harness/installation/database.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { until } from '../../../test/harness/wait.ts'
import { migrate } from '../../maintain/migrate/migrate.ts'

describe('a worker whose database restarts', async () => {
  const tenants = new Map<string, string>()

  const database = await createTestDatabase()
  const { server: cluster, remove: removeCluster } = await createCluster()
  const cells = new Map([
    ['main', database.url],
    ['east', cluster.url],
  ])
  await migrate({ ownerDatabaseUrl: database.url, ownerCells: cells }, () => {})
  const installation = new TestInstallation({
    DATABASE_URL: database.url,
    CELLS: [...cells].map((entry) => entry.join('=')).join(' '),
    REDIS_URL: redisUrl,
  })
  for (const [cell, url] of cells) tenants.set(url, await installation.createTenant(`in ${cell}`, { cell }))
  const worker = await installation.startWorkerProcess()
  await until('both queues run', async () => {
    await addJob(database.url)
    await addJob(cluster.url)
    return (await jobsAt(cluster.url)) === 0 && (await jobsAt(database.url)) === 0
  })
  after(() => installation.end())
  after(() => removeCluster())
  after(() => database.drop())

  async function addJob(url: string): Promise<void> {
    const payload = JSON.stringify({ tenant_id: tenants.get(url), account_id: crypto.randomUUID() })
    await asOwner(url, async (client) => {
      await client.query('set synchronous_commit = local')
      await client.query(`select graphile_worker.add_job('check-mint-preconditions', $1)`, [payload])
    })
  }

  async function jobsAt(url: string): Promise<number> {
    const { rows } = await asOwner(url, (client) =>
      client.query<{ count: number }>('select count(*)::int from graphile_worker._private_jobs'),
    )
    return rows[0]?.count ?? 0
  }

  async function isWaitingFor(event: string): Promise<boolean> {
    const { rows } = await asOwner(cluster.url, (client) =>
      client.query(
        `select from pg_stat_activity where application_name = 'investor-token' and wait_event = $1
           and backend_type = 'client backend' and query ~ '_private_jobs'`,
        [event],
      ),
    )
    return rows.length > 0
  }

  async function assertServesOtherCell(): Promise<void> {
    await addJob(database.url)
    await until('the job of the other cell is done', async () => (await jobsAt(database.url)) === 0)
  }

  /** Checks the log: a process that has logged this is stopping, or has ended. */
  function assertNeverStopped(): void {
    assert.ok(!worker.output.some((line) => line.includes('"msg":"stopping"')), worker.output.slice(-20).join('\n'))
    process.kill(worker.pid, 0)
  }

  test('keeps running if the completion of a job is lost, serves the other cell, and completes the job', async () => {
    await asOwner(cluster.url, async (client) => {
      // Completing a job deletes it. The deletion waits for this lock, so it is in flight when the server stops.
      await client.query(`
        create function wait_for_test() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock(42); return old; end $$;
        create trigger wait_for_test before delete on graphile_worker._private_jobs
          for each row execute function wait_for_test();
        select pg_advisory_lock(42)`)
      await addJob(cluster.url)
      await until('the completion waits', () => isWaitingFor('advisory'))
      client.on('error', () => undefined)
      await cluster.stop()
    }).catch(() => undefined)
    await assertServesOtherCell()
    await cluster.start()
    await until('the job is completed', async () => (await jobsAt(cluster.url)) === 0)
    assertNeverStopped()
  })

  test('runs a job that it had fetched without receiving it', async () => {
    await asOwner(cluster.url, async (client) => {
      // Commits then wait for a standby that does not exist. A shutdown ends the wait, but not the effect.
      await client.query(`alter system set synchronous_standby_names = 'missing'`)
      await client.query('select pg_reload_conf()')
      await until('the setting applies', async () => {
        const { rows } = await client.query('show synchronous_standby_names')
        return rows[0]?.['synchronous_standby_names'] === 'missing'
      })
      await addJob(cluster.url)
      await until('the fetch waits', () => isWaitingFor('SyncRep'))
      await client.query('alter system reset synchronous_standby_names')
    })
    await cluster.stop()
    await assertServesOtherCell()
    await cluster.start()
    await until('the job runs', async () => (await jobsAt(cluster.url)) === 0)
    assertNeverStopped()
  })

  /** Adds the job that a dead worker leaves if another one was added under its key while it ran. */
  async function addSuperseded(lastError: string | null): Promise<void> {
    const payload = JSON.stringify({ tenant_id: tenants.get(database.url), account_id: crypto.randomUUID() })
    const key = crypto.randomUUID()
    await asOwner(database.url, async (client) => {
      const addKeyed = `select id from graphile_worker.add_job('check-mint-preconditions', $1, job_key => $2)`
      await client.query('begin')
      const { rows } = await client.query(addKeyed, [payload, key])
      await client.query(
        `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', last_error = $2 where id = $1`,
        [rows[0].id, lastError],
      )
      await client.query(addKeyed, [payload, key])
      await client.query('commit')
    })
  }

  test('reruns a job whose worker died after another one was added under its key', async () => {
    await addSuperseded(null)
    await until('both jobs are done', async () => (await jobsAt(database.url)) === 0)
  })

  test('does not rerun such a job if it has failed before', async () => {
    await addSuperseded('failed before')
    await until('the other job is done', async () => (await jobsAt(database.url)) === 1)
    await assertLeft('failed before')
  })

  async function assertLeft(lastError: string): Promise<void> {
    const rows = async () =>
      (await asOwner(database.url, (client) => client.query('select * from graphile_worker._private_jobs'))).rows
    await until('its lock is released', async () => (await rows())[0]?.locked_by === null)
    const [{ attempts, max_attempts, last_error }] = await rows()
    assert.deepEqual({ attempts, last_error }, { attempts: max_attempts, last_error: lastError })
  }
})
