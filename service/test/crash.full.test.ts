import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { LocalPostgres } from '../src/dev/local-postgres.ts'
import { migrate } from '../src/maintain/migrate/migrate.ts'
import { signedToken } from './harness/callers/signed-token.ts'
import { createCluster } from './harness/clusters/cluster.ts'
import { individual } from './harness/data/bodies.ts'
import { crashRun } from './harness/faults/crash-run.ts'
import { tallyEffects } from './harness/faults/exactly-once.ts'
import { KeyedWriters } from './harness/faults/keyed-writers.ts'
import { type ApiResponse, assertError } from './harness/installation/api-client.ts'
import { redisUrl } from './harness/installation/database.ts'
import type { RunningApi } from './harness/installation/running-api.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { newSeed, seededRandom } from './harness/seeded-random.ts'
import { until, waitingForLocks } from './harness/wait.ts'

const noDefects = { duplicates: 0, lost: 0, problems: [] }

describe('keyed writes while processes die', () => {
  test('R211, R213, R216, R221: with SIGKILL at random moments each key has one effect and one response', async (t) => {
    const seed = newSeed()
    t.diagnostic(`seed ${seed}`)
    const { writers, kills, replays, duplicates, lost, problems } = await crashRun({ kills: 15, seed, secondsMax: 120 })
    assert.deepEqual({ duplicates, lost, problems }, noDefects)
    assert.equal(kills, 15)
    assert.equal(replays, writers.writes.length)
    assert.ok(writers.interrupted > 0, 'no kill interrupted a request, so the test proved nothing')
  })
})

describe('a keyed write whose process is killed at a chosen moment', () => {
  let installation: TestInstallation
  let tenantId: string
  let other: RunningApi
  let token: string

  before(async () => {
    installation = await TestInstallation.create()
    tenantId = await installation.createTenant('A')
    other = await installation.startApiProcess()
    const { clientId } = await installation.issueCredential(tenantId, { requestsPerMinute: 1_000 })
    token = await signedToken(installation, { tenantId, clientId })
  })
  after(() => installation.end())

  /** Retries while the process of a busy machine reports overload, which is unrelated to the key. */
  async function create(api: RunningApi, key: string): Promise<ApiResponse> {
    const call = { token, body: individual, headers: { 'x-idempotency-key': key } }
    let response = await api.call('POST', '/accounts', call)
    for (let attempt = 0; response.status === 503 && attempt < 20; attempt++) {
      await sleep(250)
      response = await api.call('POST', '/accounts', call)
    }
    return response
  }

  const countAccounts = () =>
    installation.owner(async (client) => {
      const { rows } = await client.query<{ count: number }>(
        'select count(*)::int from cell.account where tenant_id = $1',
        [tenantId],
      )
      return rows[0]?.count ?? 0
    })

  /** Lets a write run into a lock, kills its process there, and then releases the lock. */
  async function killAtLock(key: string, lock: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const victim = await installation.startApiProcess()
    await installation.owner(async (client) => {
      await client.query('begin')
      await lock(client)
      const cut = assert.rejects(create(victim, key), TypeError)
      await until('the write waits in the database', async () => (await waitingForLocks(installation)) === 1)
      await victim.process.kill()
      await cut
      // The connection of the dead process still holds the key's lock, so another request must get a 409.
      assertError(await create(other, key), 409, 'idempotency_in_progress')
      await client.query('rollback')
    })
  }

  /** Retries until the key is free: the database needs a moment to notice that the process has died. */
  async function createOnceFree(key: string): Promise<ApiResponse> {
    let response = await create(other, key)
    await until('the key is free', async () => {
      if (response.status === 409) response = await create(other, key)
      return response.status !== 409
    })
    return response
  }

  test('R216: before the commit: the kill leaves no effect, and the key has one effect later', async () => {
    const [key, count] = [crypto.randomUUID(), await countAccounts()]
    await killAtLock(key, (client) => client.query('lock table cell.account in share mode'))
    const response = await createOnceFree(key)
    assert.equal(response.status, 201, response.text)
    assert.equal(response.headers.get('idempotency-replayed'), null)
    assert.equal((await create(other, key)).text, response.text)
    assert.equal(await countAccounts(), count + 1)
  })

  test('R213, R216: after the commit was sent: the effect exists, and the key returns the lost response', async () => {
    const [key, count] = [crypto.randomUUID(), await countAccounts()]
    // A deferred trigger runs inside the commit, so waiting for a lock there delays the commit.
    await installation.rows(`
        create function cell.delay_commit() returns trigger language plpgsql
          as $$ begin perform pg_advisory_xact_lock(1, 1); return null; end $$;
        create constraint trigger delay_commit after insert on cell.account
          deferrable initially deferred for each row execute function cell.delay_commit()`)
    try {
      await killAtLock(key, (client) => client.query('select pg_advisory_xact_lock(1, 1)'))
      const response = await createOnceFree(key)
      assert.equal(response.status, 201, response.text)
      assert.equal(response.headers.get('idempotency-replayed'), 'true')
      assert.equal(await countAccounts(), count + 1)
      const read = await other.call('GET', `/accounts/${response.body.id}`, { token })
      assert.equal(read.text, response.text)
    } finally {
      await installation.rows('drop function cell.delay_commit() cascade')
    }
  })
})

describe('keyed writes while the database dies', () => {
  let server: LocalPostgres
  let remove: () => Promise<void>
  let installation: TestInstallation

  before(async () => {
    ;({ server, remove } = await createCluster())
    await migrate({ ownerDatabaseUrl: server.url, ownerCells: new Map([['main', server.url]]) }, () => {})
    installation = new TestInstallation({ DATABASE_URL: server.url, REDIS_URL: redisUrl })
  })
  after(async () => {
    await installation.end()
    await remove()
  })

  /** Restarts the server once the processes behind its old connections have ended, a moment after the kill. */
  const restart = () =>
    until('the server restarts', () =>
      server.start().then(
        () => true,
        () => false,
      ),
    )

  const faults: Record<string, () => Promise<void>> = {
    'the server is killed': async () => {
      await server.kill()
      await sleep(200)
      await restart()
    },
    'the server ends all connections and stops': async () => {
      await server.stop()
      await restart()
    },
    // The server then ends all other connections and recovers from its write-ahead log.
    'the process behind one connection is killed': () =>
      installation.owner(async (client) => {
        // This connection ends as well.
        client.on('error', () => {})
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity
           where application_name = 'investor-token' order by state = 'active' desc limit 1`,
        )
        process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
      }),
  }

  test('R211, R213, R216, R221: with kill -9 of the server and of a connection each key has one effect', async (t) => {
    const seed = newSeed()
    t.diagnostic(`seed ${seed}`)
    const writers = await KeyedWriters.create(installation, seededRandom(seed))
    const apis = [await installation.startApiProcess(), await installation.startApiProcess()]
    writers.setTargets(apis.map(({ baseUrl }) => baseUrl))
    await writers.start()
    const progress = async (what: string) => {
      const target = (writers.seen.get('201') ?? 0) + 50
      await until(`writes continue after ${what}`, () => (writers.seen.get('201') ?? 0) > target, 30_000)
    }
    try {
      await progress('the start')
      for (const [what, fault] of [...Object.entries(faults), ...Object.entries(faults)]) {
        await fault()
        await progress(what)
      }
      await writers.finish()
    } finally {
      writers.abort()
    }
    assert.equal(await writers.replayAll(), writers.writes.length)
    assert.deepEqual(await tallyEffects(installation, writers), noDefects)
    assert.ok((writers.seen.get('503 unavailable') ?? 0) > 0, 'no write hit a database that was down')
  })
})
