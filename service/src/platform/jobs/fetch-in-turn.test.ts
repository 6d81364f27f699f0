import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { TenantSlots } from '../base/tenant-slots.ts'
import { fetchInTurn } from './fetch-in-turn.ts'

test('a slot fetches once the previous one has its job, and skips a tenant that has no slot left', async () => {
  const events = new EventEmitter()
  const slots = new TenantSlots(1)
  const fetch = fetchInTurn(events, slots)
  assert.deepEqual(await fetch(), [])
  const fetching = fetch()
  assert.equal(await Promise.race([fetching, setImmediate('waiting')]), 'waiting')
  events.emit('job:start')
  slots.take('A')
  assert.deepEqual(await fetching, ['A'])
  slots.release('A')
  for (const event of ['worker:getJob:empty', 'worker:getJob:error']) {
    events.emit(event)
    assert.deepEqual(await fetch(), [])
  }
})
