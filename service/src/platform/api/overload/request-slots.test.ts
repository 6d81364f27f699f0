import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestSlots } from './request-slots.ts'

const limits = {
  requestsInFlightMax: 5,
  requestsPerCellMax: 2,
  requestsPerTenantMax: 2,
  requestsPerCallerMax: 2,
  arrivingBodiesMax: 40,
  unidentifiedRequestsMax: 50,
}
const shared = {
  ...limits,
  requestsInFlightMax: 20,
  requestsPerCellMax: 8,
  requestsPerTenantMax: 4,
  requestsPerCallerMax: 3,
}
const refused = { status: 503, headers: { 'retry-after': '2' } }
const ownShare = { status: 429, headers: { 'retry-after': '1' } }
const someone = { tenantId: 'tenant', callerId: 'caller' }

function identified(slots: RequestSlots, cell: string, access: 'read' | 'write', party = someone, isArriving = false) {
  const slot = slots.take('127.0.0.1')
  slot.identify({ party, workOf: () => ({ cell, access }), isArriving })
  return slot
}

test('a cell without free slots for writes still has those for reads, and other cells have all of theirs', () => {
  const slots = new RequestSlots({ ...limits, requestsPerTenantMax: 3, requestsPerCallerMax: 3 })
  identified(slots, 'east', 'write')
  identified(slots, 'east', 'write')
  assert.throws(() => identified(slots, 'east', 'write'), refused)
  identified(slots, 'east', 'read')
  identified(slots, 'west', 'write')
  identified(slots, 'west', 'write')
  assert.throws(() => identified(slots, 'west', 'read'), refused)
})

test('a request frees its slot of the cell once, and a refused one frees none', () => {
  const slots = new RequestSlots(limits)
  const [first] = [identified(slots, 'east', 'write'), identified(slots, 'east', 'write')]
  const third = slots.take('127.0.0.1')
  const use = { party: someone, workOf: () => ({ cell: 'east', access: 'write' as const }), isArriving: false }
  assert.throws(() => third.identify(use), refused)
  third.release()
  assert.throws(() => identified(slots, 'east', 'write'), refused)
  assert.equal(slots.inFlight, 2)
  first.release()
  first.release()
  identified(slots, 'east', 'write')
  assert.throws(() => identified(slots, 'east', 'write'), refused)
})

test('no caller gets a slot once every cell, or all callers together, have reached their limit', () => {
  const slots = new RequestSlots(limits)
  const reached = (access: 'read' | 'write') => slots.rejection(access, ['east', 'west'], undefined)?.status
  identified(slots, 'east', 'write')
  const last = identified(slots, 'east', 'write')
  identified(slots, 'west', 'write', { tenantId: 'other', callerId: 'other' })
  assert.equal(reached('write'), undefined)
  identified(slots, 'west', 'write', { tenantId: 'other', callerId: 'other' })
  assert.equal(reached('write'), 503)
  assert.equal(reached('read'), undefined)
  identified(slots, 'west', 'read', { tenantId: 'other', callerId: 'other' })
  assert.equal(reached('read'), 503)
  last.release()
  assert.equal(reached('write'), undefined)
  // The cells of the directory are not known immediately.
  assert.equal(slots.rejection('write', [], undefined), undefined)
})

test('neither a caller nor a tenant can use all slots of a cell, and gets 429 above its share', () => {
  const slots = new RequestSlots(shared)
  const [first, colleague, other] = [
    { tenantId: 'noisy', callerId: 'first' },
    { tenantId: 'noisy', callerId: 'second' },
    { tenantId: 'quiet', callerId: 'third' },
  ]
  for (let count = 0; count < 3; count += 1) identified(slots, 'east', 'write', first)
  assert.throws(() => identified(slots, 'east', 'write', first), ownShare)
  const last = identified(slots, 'east', 'write', colleague)
  assert.throws(() => identified(slots, 'east', 'write', colleague), ownShare)
  // The caller is known from an earlier request, so its token is not verified again.
  assert.equal(slots.rejection('write', ['east'], colleague)?.status, 429)
  assert.equal(slots.rejection('write', ['east'], other), undefined)
  for (let count = 0; count < 3; count += 1) identified(slots, 'east', 'write', other)
  identified(slots, 'east', 'read', first)
  last.release()
  identified(slots, 'east', 'write', colleague)
})

test('a body takes no slot until it has arrived, and a caller may have a twentieth of all arriving bodies', () => {
  const slots = new RequestSlots(shared)
  const arriving = (callerId: string, tenantId = 'noisy') =>
    identified(slots, 'east', 'write', { tenantId, callerId }, true)
  const [first] = [arriving('a'), arriving('a')]
  assert.throws(() => arriving('a'), ownShare)
  for (let count = 0; count < 8; count += 1) arriving(`b${count}`)
  assert.throws(() => arriving('c'), ownShare)
  assert.equal(slots.inFlight, 0)
  const of = { tenantId: 'quiet', callerId: 'd' }
  for (let count = 0; count < 3; count += 1) identified(slots, 'east', 'write', of)
  first.begin()
  first.begin()
  assert.deepEqual([slots.inFlight, slots.arriving], [4, 9])
  arriving('a')
  first.release()
  assert.deepEqual([slots.inFlight, slots.arriving], [3, 10])
  for (const tenant of ['x', 'y', 'z'])
    for (const caller of [1, 2, 3, 4, 5])
      for (let count = 0; count < 2; count += 1) arriving(`${tenant}${caller}`, tenant)
  assert.throws(() => arriving('last', 'last'), refused)
})
