import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../src/sdk.ts'
import { Throttle } from '../src/throttle.ts'

/** Sleeping takes no time and moves the clock. */
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
  test('sends 30, then one when the first has left the window', async () => {
    const clock = leapingClock()
    const throttle = new Throttle(clock)
    for (let sent = 1; sent <= 30; sent += 1) (await throttle.enter()).answered(headers(30 - sent, 60))
    assert.equal(clock.now(), 0)
    await throttle.enter()
    assert.equal(clock.now(), 60_000)
  })

  test('leaves room for what others of the same credential have sent', async () => {
    const clock = leapingClock()
    const throttle = new Throttle(clock)
    // One of ours, and 27 of others: two are left, and the next place is free in ten seconds.
    const first = await throttle.enter()
    first.answered(headers(2, 10))
    await throttle.enter()
    await throttle.enter()
    assert.equal(clock.now(), 0)
    await throttle.enter()
    assert.equal(clock.now(), 10_000)
  })

  test('after a 429 nobody sends until its time is over', async () => {
    const clock = leapingClock()
    const throttle = new Throttle(clock)
    const refused = await throttle.enter()
    refused.refused(7_000)
    await Promise.all([throttle.enter(), throttle.enter()])
    assert.equal(clock.now(), 7_000)
  })

  test('a token goes before those who wait for it, and whoever stops waiting holds nobody', async () => {
    const clock = leapingClock()
    const throttle = new Throttle(clock)
    const first = await throttle.enter()
    first.answered(headers(0, 5))
    const order: string[] = []
    const controller = new AbortController()
    const gone = throttle.enter({ signal: controller.signal }).catch(() => order.push('gone'))
    const waiting = throttle.enter().then(() => order.push('waiting'))
    const token = throttle.enter({ isUrgent: true }).then((slot) => {
      order.push('token')
      slot.answered(headers(1, 5))
    })
    controller.abort()
    await Promise.all([gone, waiting, token])
    assert.deepEqual(order, ['gone', 'token', 'waiting'])
  })
})
