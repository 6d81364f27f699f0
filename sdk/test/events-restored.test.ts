import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { raiseEventNumbers } from '../../service/src/records/restore/raise-event-numbers.sql.ts'
import { TestInstallation } from '../../service/test/harness/installation/test-installation.ts'
import { type Event, EventsRestoredError, type EventType } from '../src/sdk.ts'
import { createSdkWorld, person } from './harness/world.ts'

describe('events of a service that was restored to an earlier moment', async () => {
  // A restore affects the events of all tenants.
  const world = await createSdkWorld(await TestInstallation.create())
  after(() => world.end())

  test('a reader gets the kept events, then an error that says where to continue, whatever it filters', async () => {
    const client = world.client()
    const { installation } = world
    for (let count = 0; count < 12; count += 1) await client.accounts.create(person)
    await installation.numberEvents()
    const { last_sequence: kept } = await client.events.list()
    await installation.owner(async (owner) => {
      await owner.query('begin')
      await raiseEventNumbers(owner, '2026-11-15T10:30:00Z')
      await owner.query('commit')
    })
    await client.accounts.create(person)
    await installation.numberEvents()

    const read = async (from: number, type?: EventType): Promise<Event[]> => {
      const events: Event[] = []
      try {
        for await (const event of client.events.after(from, { limit: 10, type })) events.push(event)
      } catch (error) {
        assert.ok(error instanceof EventsRestoredError, String(error))
        const { restoredTo, keptSequence, sequence, message } = error
        assert.deepEqual([restoredTo, keptSequence], ['2026-11-15T10:30:00.000Z', kept])
        assert.match(message, /read your data again, then continue after event/)
        const rest: Event[] = []
        for await (const event of client.events.after(sequence)) rest.push(event)
        assert.deepEqual(
          rest.map(({ type: found }) => found),
          ['account.created'],
        )
        return events
      }
      assert.fail('the restore was not noticed')
    }
    assert.equal((await read(1)).length, kept - 1, 'a reader that was behind, over several pages')
    assert.deepEqual(await read(kept + 7), [], 'a reader that has read events which are lost')
    assert.deepEqual(await read(kept + 7, 'order.paid'), [])

    const all: number[] = []
    for await (const event of client.events.after(0, { limit: 10 })) all.push(event.sequence)
    assert.equal(all.length, kept + 2, 'a new reader has lost nothing')
  })
})
