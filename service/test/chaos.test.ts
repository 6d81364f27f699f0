import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chaosRun } from './harness/chaos-settlement.ts'

/** A short form of npm run chaos:settlement, so that it cannot rot. */
test('submitters and indexers that die at random mint each order once', async (context) => {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  const { problems, kills, minted, doubled } = await chaosRun(
    { seed, orders: 100, kills: 12, secondsMax: 180 },
    () => {},
  )
  context.diagnostic(`seed ${seed}`)
  assert.deepEqual(problems, [])
  assert.ok(kills >= 12)
  assert.deepEqual([minted, doubled], [100, 0])
})
