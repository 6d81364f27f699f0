import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestSlots } from './request-slots.ts'

const limits = { requestsInFlightMax: 5, requestsPerCellMax: 2, unidentifiedRequestsMax: 10 }
const refused = { status: 503, headers: { 'retry-after': '2' } }

function identified(slots: RequestSlots, cell: string, access: 'read' | 'write') {
  const slot = slots.take('127.0.0.1')
  slot.identify({ cell, access })
  return slot
}

test('a cell whose slots for writes are used still has those for reads, and other cells have all of theirs', () => {
  const slots = new RequestSlots(limits)
  identified(slots, 'east', 'write')
  identified(slots, 'east', 'write')
  assert.throws(() => identified(slots, 'east', 'write'), refused)
  identified(slots, 'east', 'read')
  identified(slots, 'west', 'write')
  identified(slots, 'west', 'write')
  assert.throws(() => identified(slots, 'west', 'read'), refused)
})

test('a request frees its slot of the cell once, and a refused one has none to free', () => {
  const slots = new RequestSlots(limits)
  const [first] = [identified(slots, 'east', 'write'), identified(slots, 'east', 'write')]
  const third = slots.take('127.0.0.1')
  assert.throws(() => third.identify({ cell: 'east', access: 'write' }), refused)
  third.release()
  assert.throws(() => identified(slots, 'east', 'write'), refused)
  assert.equal(slots.inFlight, 2)
  first.release()
  first.release()
  identified(slots, 'east', 'write')
  assert.throws(() => identified(slots, 'east', 'write'), refused)
})
