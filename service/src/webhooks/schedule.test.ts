import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Posted } from '../platform/outbound/poster.ts'
import { healthAfter, reasonToDisable } from './endpoint-health.ts'
import { attemptsMax, blockAfter, pauseAfter, retryAfterMs } from './schedule.ts'

const seconds = (...values: number[]) => values.map((value) => value * 1_000)
const now = new Date('2026-07-02T10:00:00.000Z')
const failed: Posted = { outcome: 'HTTP_ERROR', statusCode: 500, retryAfter: null, durationMs: 1 }
const arrived: Posted = { ...failed, outcome: 'DELIVERED', statusCode: 204 }
const healthy = { failures: 0, failingSince: null, blockedUntil: null }

describe('the schedule of webhooks', () => {
  const hour = 3_600
  const promised = seconds(5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour)

  test('ten attempts: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
    assert.equal(attemptsMax('staging'), 10)
    assert.equal(attemptsMax('live'), 10)
    assert.deepEqual(
      Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, 10, 0)),
      [...promised, null],
    )
  })

  test('three attempts in development', () => {
    assert.equal(attemptsMax('development'), 3)
    assert.deepEqual(
      Array.from({ length: 3 }, (_, index) => pauseAfter(index + 1, 3, 0)),
      [...promised.slice(0, 2), null],
    )
  })

  test('chance makes a pause longer by up to a tenth, and never shorter', () => {
    for (const [index, pause] of promised.entries())
      for (let round = 0; round < 100; round += 1) {
        const actual = pauseAfter(index + 1, 10, Math.random()) ?? 0
        assert.ok(actual >= pause && actual <= pause * 1.1, `${actual} of ${pause}`)
      }
    assert.notEqual(pauseAfter(1, 10, 0.1), pauseAfter(1, 10, 0.9))
  })

  test('an endpoint waits 5 s, 30 s, 1, 2 and then 5 minutes, for ever', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 500].map((failures) => blockAfter(failures, 0)),
      seconds(5, 30, 60, 120, 300, 300, 300),
    )
  })

  test('Retry-After is read as seconds or as a date, up to a day; anything else is nothing', () => {
    for (const [header, expected] of [
      ['0', 0],
      ['120', 120],
      [' 7 ', 7],
      ['999999999999', 24 * hour],
      ['Thu, 02 Jul 2026 10:01:00 GMT', 60],
      ['Thu, 02 Jul 2026 09:00:00 GMT', 0],
      ['Fri, 02 Jul 2027 10:00:00 GMT', 24 * hour],
      ['soon', 0],
      ['-5', 0],
      ['', 0],
      [null, 0],
    ] as const)
      assert.equal(retryAfterMs(header, now), expected * 1_000, String(header))
  })

  test('429 and 503 make everybody wait for as long as they say, other answers do not', () => {
    const blocked = (posted: Posted) => healthAfter(healthy, [posted], now, 0).blockedUntil?.getTime() ?? 0
    for (const [statusCode, expected] of [
      [429, 60],
      [503, 60],
      [500, 5],
      [200, 0],
    ] as const) {
      const posted = { ...(statusCode === 200 ? arrived : failed), statusCode, retryAfter: '60' }
      assert.equal(blocked(posted), expected === 0 ? 0 : now.getTime() + expected * 1_000, String(statusCode))
    }
  })

  test('one message that got through ends a streak', () => {
    const failing = { failures: 7, failingSince: new Date(0), blockedUntil: now }
    assert.deepEqual(healthAfter(failing, [failed, arrived], now, 0), healthy)
    const longer = healthAfter(failing, [failed], now, 0)
    assert.deepEqual([longer.failures, longer.failingSince], [8, new Date(0)])
  })

  test('410 disables at once, failures alone after five days and not a moment before', () => {
    const since = (ms: number) => ({ ...healthy, failures: 3, failingSince: new Date(now.getTime() - ms) })
    const fiveDays = 5 * 86_400_000
    assert.equal(reasonToDisable(healthy, [{ ...failed, statusCode: 410 }], now), 'GONE')
    assert.equal(reasonToDisable(since(fiveDays), [failed], now), 'FAILING')
    assert.equal(reasonToDisable(since(fiveDays - 1), [failed], now), null)
    assert.equal(reasonToDisable(since(fiveDays), [failed, arrived], now), null)
    assert.equal(reasonToDisable(since(fiveDays), [], now), null)
    assert.equal(reasonToDisable(healthy, [failed], now), null)
  })
})
