import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runChaos } from './harness/faults/chaos-settlement.ts'

const short = {
  orders: 30,
  wallets: 3,
  kills: 6,
  workers: 2,
  indexers: 1,
  blockSeconds: 0.4,
  isDeployedFirst: true,
  secondsMax: 400,
}
const long = {
  orders: 100,
  wallets: 20,
  kills: 12,
  workers: 4,
  indexers: 2,
  blockSeconds: 1,
  isDeployedFirst: false,
  secondsMax: 220,
}

/** Runs longer with TEST_LONG=true; `npm run drill -- chaos` is the full size. */
test('workers and indexers that are killed at random mint each order exactly once', async (context) => {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  const options = { seed, ...(process.env['TEST_LONG'] === 'true' ? long : short) }
  const { problems, kills, minted, mintedTwice, freezes, mempoolDrops, reorgs } = await runChaos(options, () => {})
  context.diagnostic(
    `seed ${seed}: ${kills} kills, ${freezes} freezes, ${mempoolDrops} mempool drops, ${reorgs} reorgs`,
  )
  assert.deepEqual(problems, [])
  assert.ok(kills >= options.kills)
  assert.deepEqual([minted, mintedTwice], [options.orders, 0])
})
