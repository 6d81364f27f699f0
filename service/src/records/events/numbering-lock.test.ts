import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import type pg from 'pg'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { recordEvent, recordEventOnce } from './event.sql.ts'
import { numberEventBatch } from './number-events.sql.ts'

const event = { type: 'account.updated', data: { account_id: crypto.randomUUID() } } as const

describe('the lock under which events are numbered', async () => {
  let direct: DirectOperations

  const installation = await sharedInstallation()
  after(() => installation.end())
  beforeEach(async () => {
    direct = new DirectOperations(installation, await installation.createTenant('T'))
  })

  test('an event about an id that is not a UUID fails where it is recorded, not in the numbering of the cell', async () => {
    const invalid = { type: 'account.updated', data: { account_id: 'a' } } as const
    await assert.rejects(
      direct.write((tx) => recordEvent(tx, direct.tenantId, invalid)),
      /invalid input syntax for type uuid/,
    )
    assert.equal(await installation.owner(number), 0)
  })

  const record = (id: string) => direct.write((tx) => recordEvent(tx, direct.tenantId, event, id))
  const recordOnce = (id: string) => direct.write((tx) => recordEventOnce(tx, direct.tenantId, event, id))

  /** Runs the work while another connection is in a transaction, which then commits or rolls back. */
  const during = (
    first: (client: pg.Client) => Promise<unknown>,
    work: () => Promise<void>,
    end: 'commit' | 'rollback' = 'commit',
  ) =>
    installation.owner(async (client) => {
      await client.query('begin')
      await first(client)
      await work()
      await client.query(end)
    })
  const takeLock = (client: pg.Client) =>
    client.query(`select pg_advisory_xact_lock(hashtextextended('cell.event_outbox', 0))`)
  const number = (client: pg.Client) => numberEventBatch(client, 1_000)

  /** Numbers events on a connection that fails instead of waiting for a row of the other transaction. */
  const numberWithoutWaiting = () =>
    installation.owner(async (client) => {
      await client.query(`set lock_timeout = '1s'`)
      return number(client)
    })

  const eventIds = async () => {
    const rows = await installation.rows<{ id: string; sequence: number }>(
      'select id, sequence::int from cell.event where tenant_id = $1 order by sequence',
      [direct.tenantId],
    )
    assert.deepEqual(
      pluck(rows, 'sequence'),
      rows.map((_, index) => index + 1),
    )
    return rows.map(({ id }) => id)
  }

  test('while another process has it, a process numbers nothing', async () => {
    const id = crypto.randomUUID()
    await record(id)
    await during(takeLock, async () => {
      assert.equal(await numberWithoutWaiting(), 0)
      assert.deepEqual(await eventIds(), [])
    })
    assert.equal(await numberWithoutWaiting(), 1)
    assert.deepEqual(await eventIds(), [id])
  })

  test('while the numbers of another process are not committed, a process numbers nothing, not even later events', async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
    await record(first)
    await during(number, async () => {
      await record(second)
      assert.equal(await numberWithoutWaiting(), 0)
    })
    assert.equal(await numberWithoutWaiting(), 1)
    assert.deepEqual(await eventIds(), [first, second])
  })

  for (const end of ['commit', 'rollback'] as const)
    test(`an event recorded again while its number is not committed counts once after the ${end}`, async () => {
      const id = crypto.randomUUID()
      await recordOnce(id)
      let again: Promise<void> | undefined
      await during(
        number,
        async () => {
          again = recordOnce(id)
          await until('the second record waits', async () => (await waitingForLocks(installation)) === 1)
        },
        end,
      )
      await again
      await installation.numberEvents()
      assert.deepEqual(await eventIds(), [id])
    })
})
