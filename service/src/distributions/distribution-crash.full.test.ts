import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killDistribution } from '../../test/harness/faults/distribution-kills.ts'
import { newSeed } from '../../test/harness/seeded-random.ts'
import { testSize } from '../../test/harness/test-size.ts'

// With TEST_LONG=true, the calculation takes two batches and there are three files; `npm run drill --
// crash-distributions` runs the same.
const size = testSize({ short: { kills: 4, holders: 25 }, long: { kills: 50, holders: 2_050 } })

test(`a redemption whose workers are killed ${size.kills} times, during a reorg of its record block, pays and burns each entitlement once`, async (t) => {
  const seed = newSeed()
  t.diagnostic(`seed ${seed}`)
  assert.deepEqual(await killDistribution({ ...size, seed }), {
    kills: size.kills,
    entitlements: size.holders,
    paidTwice: 0,
    missing: 0,
    burntTwice: 0,
  })
})
