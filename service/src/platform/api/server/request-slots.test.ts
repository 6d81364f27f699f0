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

test('no caller has a slot once each cell has its limit of such work, or all callers have theirs', () => {
  const slots = new RequestSlots(limits)
  const reached = (access: 'read' | 'write') => slots.limitReached(access, ['east', 'west'])
  identified(slots, 'east', 'write')
  const last = identified(slots, 'east', 'write')
  identified(slots, 'west', 'write')
  assert.equal(reached('write'), undefined)
  identified(slots, 'west', 'write')
  assert.equal(reached('write'), 'cell')
  assert.equal(reached('read'), undefined)
  identified(slots, 'west', 'read')
  assert.equal(reached('read'), 'in_flight')
  last.release()
  assert.equal(reached('write'), undefined)
  // The cells of the directory are not known at once.
  assert.equal(slots.limitReached('write', []), undefined)
})
