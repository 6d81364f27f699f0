import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pluck } from '../../../../test/harness/pluck.ts'
import { InMemoryWindow } from './in-memory-window.ts'

describe('in-memory window', () => {
  test('accepts exactly the limit and returns when the next request is accepted', () => {
    const window = new InMemoryWindow()
    const bucket = { key: 'a', limit: 3 }
    const decisions = [window.take(bucket), window.take(bucket), window.take(bucket), window.take(bucket)]
    assert.deepEqual(
      decisions.map(({ accepted, remaining }) => [accepted, remaining]),
      [
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
      ],
    )
    assert.ok((decisions[3]?.freesInMs ?? 0) > 59_000)
    assert.deepEqual([window.isFull(bucket), window.isFull({ ...bucket, limit: 4 })], [true, false])
    assert.equal(window.take({ key: 'b', limit: 1 }).accepted, true)
  })

  test('accepts at most the ceiling from all buckets that share it, including what Redis accepted', () => {
    const window = new InMemoryWindow()
    const ceiling = { key: 'shared', limit: 3 }
    const [a, b] = [
      { key: 'a', limit: 9, ceiling },
      { key: 'b', limit: 9, ceiling },
    ]
    window.record(a)
    assert.deepEqual(pluck([window.take(a), window.take(b), window.take(a)], 'accepted'), [true, true, false])
    const rejected = window.take(b)
    assert.deepEqual([rejected.accepted, rejected.remaining, rejected.ceiling?.limit], [false, 8, 3])
    assert.ok((rejected.ceiling?.freesInMs ?? 0) > 59_000)
    assert.equal(window.take({ ...a, ceiling: { key: 'other', limit: 1 } }).accepted, true)
  })
})
