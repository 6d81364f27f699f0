import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PostResult } from '../platform/outbound/outbound-client.ts'
import { healthAfter, reasonToGiveUp } from './endpoint-health.ts'
import { attemptsMax, endpointBackoffMs, retryAfterMs, retryDelayMs } from './schedule.ts'

const seconds = (...values: number[]) => values.map((value) => value * 1_000)
const now = new Date('2026-07-02T10:00:00.000Z')
const failed: PostResult = { outcome: 'HTTP_ERROR', statusCode: 500, retryAfter: null, durationMs: 1 }
const delivered: PostResult = { ...failed, outcome: 'DELIVERED', statusCode: 204 }
const healthy = { failures: 0, failingSince: null, backoffUntil: null }

describe('the webhook schedule', () => {
  const hour = 3_600
  const promised = seconds(5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour)

  test('ten attempts: immediately, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
    assert.equal(attemptsMax('staging'), 10)
    assert.equal(attemptsMax('live'), 10)
    assert.deepEqual(
      Array.from({ length: 10 }, (_, index) => retryDelayMs(index + 1, 10, 0)),
      [...promised, null],
    )
  })

  test('three attempts in development', () => {
    assert.equal(attemptsMax('development'), 3)
    assert.deepEqual(
      Array.from({ length: 3 }, (_, index) => retryDelayMs(index + 1, 3, 0)),
      [...promised.slice(0, 2), null],
    )
  })

  test('jitter makes a delay up to a tenth longer, never shorter', () => {
    for (const [index, delay] of promised.entries())
      for (let sample = 0; sample < 100; sample += 1) {
        const actual = retryDelayMs(index + 1, 10, Math.random()) ?? 0
        assert.ok(actual >= delay && actual <= delay * 1.1, `${actual} of ${delay}`)
      }
    assert.notEqual(retryDelayMs(1, 10, 0.1), retryDelayMs(1, 10, 0.9))
  })

  test('the backoff of an endpoint is 5 s, 30 s, 1, 2 and then always 5 minutes', () => {
    const backoffs = [1, 2, 3, 4, 5, 6, 500].map((failures) => endpointBackoffMs(failures, 0))
    assert.deepEqual(backoffs, seconds(5, 30, 60, 120, 300, 300, 300))
  })

  test('Retry-After is seconds or a date, at most a day; any other value is ignored', () => {
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

  test('Retry-After extends the backoff for 429 and 503 only', () => {
    const backoffAfter = (result: PostResult) => healthAfter(healthy, [result], now, 0).backoffUntil?.getTime() ?? 0
    for (const [statusCode, expected] of [
      [429, 60],
      [503, 60],
      [500, 5],
      [200, 0],
    ] as const) {
      const result = { ...(statusCode === 200 ? delivered : failed), statusCode, retryAfter: '60' }
      assert.equal(backoffAfter(result), expected === 0 ? 0 : now.getTime() + expected * 1_000, String(statusCode))
    }
  })

  test('one success resets the health of an endpoint', () => {
    const failing = { failures: 7, failingSince: new Date(0), backoffUntil: now }
    assert.deepEqual(healthAfter(failing, [failed, delivered], now, 0), healthy)
    const longer = healthAfter(failing, [failed], now, 0)
    assert.deepEqual([longer.failures, longer.failingSince], [8, new Date(0)])
  })

  test('410 disables an endpoint immediately, failures alone after exactly five days', () => {
    const since = (ms: number) => ({ ...healthy, failures: 3, failingSince: new Date(now.getTime() - ms) })
    const fiveDays = 5 * 86_400_000
    assert.equal(reasonToGiveUp(healthy, [{ ...failed, statusCode: 410 }], now), 'GONE')
    assert.equal(reasonToGiveUp(since(fiveDays), [failed], now), 'FAILING')
    assert.equal(reasonToGiveUp(since(fiveDays - 1), [failed], now), null)
    assert.equal(reasonToGiveUp(since(fiveDays), [failed, delivered], now), null)
    assert.equal(reasonToGiveUp(since(fiveDays), [], now), null)
    assert.equal(reasonToGiveUp(healthy, [failed], now), null)
  })
})
