import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attackLine, replayAttacks } from './harness/attacks/attack-run.ts'

test('no attack of the short form succeeds against a whole installation', async (t) => {
  const replayed = await replayAttacks({ isShort: true }, (attack) => t.diagnostic(attackLine(attack)))
  assert.ok(replayed.length >= 15, `only ${replayed.length} attacks`)
  assert.deepEqual(replayed.filter(({ isDefended }) => !isDefended).map(attackLine), [])
})
