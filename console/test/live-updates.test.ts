import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eventTypes, operatorEventTypes } from '../../service/src/records/events/event-types.ts'
import { mergeRows } from '../src/api/live-rows.ts'
import { alwaysOld, listsOf, queriesOf } from '../src/live/invalidate.ts'
import { readMessages } from '../src/live/read-messages.ts'
import { queriesWithoutEvent } from './queries-without-event.ts'

interface Row {
  id: string
  state: string
}

const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id, state: 'old' }))
const page = (results: readonly Row[], next: string | null = null) => ({ results, pagination: { next }, isLive: true })
const shown = (...pages: ReturnType<typeof page>[]) => ({
  hash: 'orders',
  pages,
  items: pages.flatMap(({ results }) => results),
  newCount: 0,
  goneIds: new Set<string>(),
})
const idsOf = (items: readonly Row[]) => items.map(({ id }) => id).join('')

test('a live update changes rows where they are, counts new ones and marks those that have left', () => {
  const changed = { id: 'b', state: 'new' }
  const { items, newCount, goneIds } = mergeRows(shown(page(rows('a', 'b', 'c'))), [
    page([...rows('x', 'y'), changed, ...rows('c')]),
  ])
  assert.equal(idsOf(items), 'abc')
  assert.deepEqual(items[1], changed)
  assert.equal(newCount, 2)
  assert.deepEqual([...goneIds], ['a'])
})

test('rows pushed by new ones to a page that is not loaded are not marked as gone', () => {
  const { items, newCount, goneIds } = mergeRows(shown(page(rows('a', 'b', 'c'), '/next')), [
    page(rows('x', 'a', 'b'), '/next'),
  ])
  assert.equal(idsOf(items), 'abc')
  assert.deepEqual([newCount, goneIds.size], [1, 0])
})

test('a page that is loaded afterwards is appended, and announced rows stay announced', () => {
  const first = page(rows('x', 'a', 'b'), '/next')
  const before = mergeRows(shown(page(rows('a', 'b'), '/next')), [first])
  const { items, newCount } = mergeRows(before, [first, page(rows('c', 'd'))])
  assert.equal(idsOf(items), 'abcd')
  assert.equal(newCount, 1)
})

test('an event outdates the lists of its resource and everything about its objects', () => {
  assert.deepEqual(queriesOf('order.paid', { order_id: 'o', unassigned_payment_id: 'p', currency: 'EUR' }), [
    ['work'],
    ['audit'],
    ['events'],
    ['orders'],
    ['offerings'],
    ['chain-ops'],
    ['order', 'o'],
    ['timeline', 'o'],
    ['unassigned-payment', 'p'],
    ['timeline', 'p'],
  ])
  assert.deepEqual(queriesOf('events.restored', {}), [[]])
})

test('every event type outdates something', () => {
  const unknown = [...Object.keys(eventTypes), ...operatorEventTypes].filter(
    (type) => listsOf[type.split('.')[0] ?? ''] === undefined,
  )
  assert.deepEqual(unknown, [])
})

test('every query of a screen is refreshed by an event, or the table says why not', () => {
  const folder = new URL('../src/', import.meta.url)
  const key = /(?:queryKey: \[|useList(?:<[^()]*>)?\(\[|useFilteredList(?:<[^()]*>)?\()\s*'([\w-]+)'/g
  const used = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['api/generated/**'] }).flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(key)].map(([, name = '']) => name),
  )
  // Events name objects in members such as `order_id`, from which the query keys of their pages follow.
  const objects = ['timeline', ...Object.keys(listsOf).map((resource) => resource.replaceAll('_', '-'))]
  const live = new Set([...alwaysOld, ...objects, ...Object.values(listsOf).flat()])
  const listed = Object.keys(queriesWithoutEvent)
  assert.ok(new Set(used).size > 40, `only ${new Set(used).size} queries were found`)
  assert.deepEqual(
    {
      neitherLiveNorListed: [...new Set(used)].filter((name) => !live.has(name) && !listed.includes(name)),
      staleEntries: listed.filter((name) => live.has(name) || !used.includes(name)),
    },
    { neitherLiveNorListed: [], staleEntries: [] },
  )
})

test('messages are read however the network splits them, and comments only show that the stream is alive', async () => {
  const text = 'retry: 1000\nid: 7\nevent: ready\ndata: {}\n\n: beat\n\nid: 8\nevent: order.paid\ndata: {"ü":1}\n\n'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 7, bytes.length]) {
    let reads = 0
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size))
        controller.close()
      },
    })
    const messages = []
    for await (const message of readMessages(body, () => {
      reads += 1
    }))
      messages.push(message)
    assert.deepEqual(messages, [
      { id: '7', type: 'ready', data: '{}' },
      { id: '8', type: 'order.paid', data: '{"ü":1}' },
    ])
    assert.ok(reads >= 1)
  }
})
