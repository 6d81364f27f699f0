import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  asOwner,
  connect,
  createEmptyDatabase,
  type TestDatabase,
} from '../../../test/harness/installation/database.ts'
import { until } from '../../../test/harness/wait.ts'
import { runFolder } from './migrate.ts'

const index = 'create unique index concurrently if not exists entry_number on public.entry (number);'

describe('a migration that creates an index concurrently', () => {
  let database: TestDatabase
  let folder: string
  let count = 0

  before(async () => {
    database = await createEmptyDatabase()
    folder = mkdtempSync(join(tmpdir(), 'investor-token-migrations-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await database.drop()
  })

  const inDatabase = <Row extends object>(query: string) =>
    asOwner(database.url, async (client) => (await client.query<Row>(query)).rows)
  const run = () => runFolder(database.url, { folder, schema: 'tested' })
  const isValid = async () => {
    const rows = await inDatabase<{ valid: boolean }>(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('public.entry_number')`,
    )
    return rows[0]?.valid
  }
  const applied = async () =>
    (await inDatabase<{ name: string }>('select name from tested.migration order by id')).map(({ name }) => name)
  const migrating = () =>
    inDatabase<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and query like 'create unique index concurrently%' and state = 'active'`,
    )

  /** Creates a new table, and the next file, which creates its index. */
  async function prepare(text = index): Promise<string> {
    await inDatabase('drop table if exists public.entry; create table public.entry (number bigint)')
    await inDatabase('insert into public.entry select generate_series(1, 1000)')
    count += 1
    const name = `000${count}_index`
    writeFileSync(join(folder, `${name}.sql`), `-- Why.\n${text}\n`)
    return name
  }

  /** Runs work while a transaction that has written to the table is open; the index waits for it. */
  async function whileItWaits(work: () => Promise<unknown>): Promise<PromiseSettledResult<string[]>> {
    const writer = await connect(database.url)
    try {
      await writer.query('begin; insert into public.entry values (1001)')
      const running = Promise.allSettled([run()])
      await until('the index waits for the transaction', async () => (await migrating()).length > 0)
      await work()
      await writer.query('commit')
      const [result] = await running
      return result
    } finally {
      await writer.end()
    }
  }

  test('lets others write while it runs', async () => {
    const name = await prepare()
    const result = await whileItWaits(() => inDatabase('insert into public.entry values (2000)'))
    assert.deepEqual(result, { status: 'fulfilled', value: [name] })
    assert.deepEqual([await isValid(), (await applied()).at(-1)], [true, name])
    assert.deepEqual(await run(), [])
  })

  test('replaces the invalid index of an interrupted run', async () => {
    const name = await prepare()
    const result = await whileItWaits(async () => {
      for (const { pid } of await migrating()) await inDatabase(`select pg_cancel_backend(${pid})`)
    })
    assert.equal(result.status, 'rejected')
    assert.deepEqual([await isValid(), (await applied()).includes(name)], [false, false])
    assert.deepEqual(await run(), [name])
    assert.equal(await isValid(), true)
  })

  test('runs once if two processes start it together', async () => {
    const name = await prepare()
    let second: Promise<string[]> | undefined
    const first = await whileItWaits(async () => {
      second = run()
      // Leaves time to ask for the lock at least once.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
    })
    assert.deepEqual([first, await second], [{ status: 'fulfilled', value: [name] }, []])
    assert.equal(await isValid(), true)
  })

  test('may contain no other statements, because none of them would be rolled back', async () => {
    for (const statement of [
      'alter table public.entry add other bigint;',
      'create index concurrently other on public.entry (number);',
    ]) {
      await prepare(`${index}\n${statement}`)
      await assert.rejects(run(), /is not run in a transaction, so it may only have/)
      rmSync(join(folder, `000${count}_index.sql`))
      count -= 1
    }
  })
})
