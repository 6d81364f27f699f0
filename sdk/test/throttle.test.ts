import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../src/sdk.ts'
import { Throttle } from '../src/throttle.ts'

/** Sleeping returns at once and advances the clock. */
function leapingClock(): Clock {
  let time = 0
  return {
    now: () => time,
    sleep: async (milliseconds, signal) => {
      await Promise.resolve()
      if (signal?.aborted) throw new Error('aborted')
      time += milliseconds
    },
  }
}

const headers = (remaining: number, seconds: number) =>
  new Headers({ 'ratelimit-policy': '"credential";q=30;w=60', ratelimit: `"credential";r=${remaining};t=${seconds}` })

describe('the throttle', () => {
  test('sends 30 requests, then the next when the first has left the window', async () => {
    const clock = leapingClock()
    const throttle = new Throttle(clock)
    for (let sent = 1; sent <= 30; sent += 1) (await throttle.enter()).completed(headers(30 - sent, 60))
    assert.equal(clock.now(), 0)
    await throttle.enter()
    assert.equal(clock.now(), 60_000)
  })

  test('counts the requests of other clients of the same credential', async () => {
    const clock = leapingClock()
    const throttle = new Throttle(clock)
    // One request of ours and 27 of other clients: two are left, and the next leaves the window in ten seconds.
    const first = await throttle.enter()
    first.completed(headers(2, 10))
    await throttle.enter()
    await throttle.enter()
    assert.equal(clock.now(), 0)
    await throttle.enter()
    assert.equal(clock.now(), 10_000)
  })

  test('after a 429 no request is sent until its wait is over', async () => {
    const clock = leapingClock()
    const throttle = new Throttle(clock)
    const slot = await throttle.enter()
    slot.rejected(7_000)
    await Promise.all([throttle.enter(), throttle.enter()])
    assert.equal(clock.now(), 7_000)
  })

  test('an urgent request goes first, and an aborted request does not block the others', async () => {
    const clock = leapingClock()
    const throttle = new Throttle(clock)
    const first = await throttle.enter()
    first.completed(headers(0, 5))
    const order: string[] = []
    const controller = new AbortController()
    const aborted = throttle.enter({ signal: controller.signal }).catch(() => order.push('aborted'))
    const waiting = throttle.enter().then(() => order.push('waiting'))
    const token = throttle.enter({ isUrgent: true }).then((slot) => {
      order.push('token')
      slot.completed(headers(1, 5))
    })
    controller.abort()
    await Promise.all([aborted, waiting, token])
    assert.deepEqual(order, ['aborted', 'token', 'waiting'])
  })
})
