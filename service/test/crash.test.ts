import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { LocalPostgres } from '../src/main/local-postgres.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { type Answer, assertError } from './harness/api-client.ts'
import { individual } from './harness/bodies.ts'
import { createCluster } from './harness/cluster.ts'
import { crashRun } from './harness/crash-run.ts'
import { redisUrl } from './harness/database.ts'
import { tallyEffects } from './harness/exactly-once.ts'
import { KeyedWriters } from './harness/keyed-writers.ts'
import { newSeed, seededRandom } from './harness/seeded-random.ts'
import { type RunningApi, TestInstallation } from './harness/service.ts'
import { signedToken } from './harness/signed-token.ts'
import { until, waitingForLocks } from './harness/wait.ts'

const nothingWrong = { duplicates: 0, lost: 0, problems: [] }

describe('keyed writes while processes die', () => {
  test('R211, R213, R216, R221: SIGKILL at random moments: each key has one effect and one answer', async (t) => {
    const seed = newSeed()
    t.diagnostic(`seed ${seed}`)
    const { writers, kills, replays, duplicates, lost, problems } = await crashRun({ kills: 15, seed, secondsMax: 120 })
    assert.deepEqual({ duplicates, lost, problems }, nothingWrong)
    assert.equal(kills, 15)
    assert.equal(replays, writers.writes.length)
    assert.ok(writers.cut > 0, 'no request was cut: the kills have tested nothing')
  })
})

describe('a keyed write whose process is killed at a moment of our choice', () => {
  let installation: TestInstallation
  let tenantId: string
  let other: RunningApi
  let token: string

  before(async () => {
    installation = await TestInstallation.create()
    tenantId = await installation.createTenant('A')
    other = await installation.startApi()
    const { clientId } = await installation.issueCredential(tenantId, { requestsPerMinute: 1_000 })
    token = await signedToken(installation, { tenantId, clientId })
  })
  after(() => installation.end())

  /** As often as a process on a busy machine says that it is overloaded: that says nothing of the key. */
  async function create(api: RunningApi, key: string): Promise<Answer> {
    const call = { token, body: individual, headers: { 'x-idempotency-key': key } }
    let answer = await api.call('POST', '/accounts', call)
    for (let tries = 0; answer.status === 503 && tries < 20; tries++) {
      await sleep(250)
      answer = await api.call('POST', '/accounts', call)
    }
    return answer
  }

  const countAccounts = () =>
    installation.owner(async (client) => {
      const { rows } = await client.query<{ count: number }>(
        'select count(*)::int from cell.account where tenant_id = $1',
        [tenantId],
      )
      return rows[0]?.count ?? 0
    })

  /** Lets a write get as far as a lock that is held, kills its process there, and then lets the lock go. */
  async function killAtLock(key: string, hold: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const victim = await installation.startApi()
    await installation.owner(async (client) => {
      await client.query('begin')
      await hold(client)
      const cut = assert.rejects(create(victim, key), TypeError)
      await until('the write waits in the database', async () => (await waitingForLocks(installation)) === 1)
      await victim.process.kill()
      await cut
      // The connection of the dead process still works on the key, so another request must not.
      assertError(await create(other, key), 409, 'idempotency_in_progress')
      await client.query('rollback')
    })
  }

  /** The same request until it is answered: the database needs a moment to see that the process is gone. */
  async function insist(key: string): Promise<Answer> {
    let answer = await create(other, key)
    await until('the key is free', async () => {
      if (answer.status === 409) answer = await create(other, key)
      return answer.status !== 409
    })
    return answer
  }

  test('R216: before the commit: nothing was done, and the key does it once', async () => {
    const [key, count] = [crypto.randomUUID(), await countAccounts()]
    await killAtLock(key, (client) => client.query('lock table cell.account in share mode'))
    const answer = await insist(key)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.headers.get('idempotency-replayed'), null)
    assert.equal((await create(other, key)).text, answer.text)
    assert.equal(await countAccounts(), count + 1)
  })

  test('R213, R216: after the commit was sent: it was done, and the key gives the lost answer', async () => {
    const [key, count] = [crypto.randomUUID(), await countAccounts()]
    // A deferred trigger runs inside the commit, so a lock that it waits for holds the commit up.
    await installation.owner((client) =>
      client.query(`
        create function cell.hold_commit() returns trigger language plpgsql
          as $$ begin perform pg_advisory_xact_lock(1, 1); return null; end $$;
        create constraint trigger hold_commit after insert on cell.account
          deferrable initially deferred for each row execute function cell.hold_commit()`),
    )
    try {
      await killAtLock(key, (client) => client.query('select pg_advisory_xact_lock(1, 1)'))
      const answer = await insist(key)
      assert.equal(answer.status, 201, answer.text)
      assert.equal(answer.headers.get('idempotency-replayed'), 'true')
      assert.equal(await countAccounts(), count + 1)
      const read = await other.call('GET', `/accounts/${answer.body.id}`, { token })
      assert.equal(read.text, answer.text)
    } finally {
      await installation.owner((client) => client.query('drop function cell.hold_commit() cascade'))
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

  /** Connections of a killed server end a moment after it, and until then it cannot start again. */
  const restart = () =>
    until('the server starts again', () =>
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
    // The server then ends all other connections too and recovers from its log.
    'the process behind one connection is killed': () =>
      installation.owner(async (client) => {
        // It ends this connection as well.
        client.on('error', () => {})
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity
           where application_name = 'investor-token' order by state = 'active' desc limit 1`,
        )
        process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
      }),
  }

  test('R211, R213, R216, R221: kill -9 of the server and of a connection: one effect for each key', async (t) => {
    const seed = newSeed()
    t.diagnostic(`seed ${seed}`)
    const writers = await KeyedWriters.create(installation, seededRandom(seed))
    const apis = [await installation.startApi(), await installation.startApi()]
    writers.aim(apis.map(({ baseUrl }) => baseUrl))
    await writers.start()
    const progress = async (what: string) => {
      const enough = (writers.seen.get('201') ?? 0) + 50
      await until(`writes go on after ${what}`, () => (writers.seen.get('201') ?? 0) > enough, 30_000)
    }
    try {
      await progress('the start')
      for (const [what, fault] of [...Object.entries(faults), ...Object.entries(faults)]) {
        await fault()
        await progress(what)
      }
      await writers.finish()
    } finally {
      writers.giveUp()
    }
    assert.equal(await writers.replayAll(), writers.writes.length)
    assert.deepEqual(await tallyEffects(installation, writers), nothingWrong)
    assert.ok((writers.seen.get('503 unavailable') ?? 0) > 0, 'no write met a database that was away')
  })
})
