import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killConfirmations } from './harness/faults/approval-kills.ts'
import { newSeed } from './harness/seeded-random.ts'

test('an API killed at any statement of a confirmation leaves decision, effect and audit entries, or none of them', async (t) => {
  const seed = newSeed()
  t.diagnostic(`seed ${seed}`)
  const { kills, complete, absent, problems } = await killConfirmations({ kills: 5, seed })
  assert.deepEqual(problems, [])
  assert.equal(kills, 5)
  assert.ok(absent > 0, 'every kill came too late, so the test proved nothing')
  t.diagnostic(`complete ${complete}, absent ${absent}`)
})
