import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { createLogger } from '../base/log.ts'
import { createPool } from '../postgres/pools.ts'
import { QueueSession } from './queue-session.ts'

describe('the session of the queues of a process', async () => {
  const log = createLogger('silent', 'test')

  const installation = await sharedInstallation()
  const { config } = installation
  const pool = createPool({ url: config.databaseUrl, role: 'investor_token_worker', cell: undefined }, config, log)
  after(() => pool.end())
  after(() => installation.end())

  /** Returns the names that another process would find unlocked, like those of a dead worker. */
  async function unlocked(names: readonly string[]): Promise<string[]> {
    const rows = await installation.rows<{ name: string }>(
      `select name from unnest($1::text[]) name where pg_try_advisory_xact_lock(hashtextextended(name, 0))`,
      [names],
    )
    return rows.map(({ name }) => name)
  }

  test('locks its names again once it notices that its connection broke, without waiting for a sweep', async () => {
    // The session is not started, so no sweep ever comes.
    const session = new QueueSession(pool, log)
    const names = [crypto.randomUUID(), crypto.randomUUID()] as const
    await session.lockName(names[0])
    assert.deepEqual(await unlocked(names), [names[1]])
    const ended = await installation.rows(
      `select pg_terminate_backend(pid, 10000) from pg_locks
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    )
    assert.equal(ended.length, 1)
    assert.deepEqual(await unlocked(names), names)
    await session.lockName(names[1])
    assert.deepEqual(await unlocked(names), [])
    await session.stop()
  })
})
