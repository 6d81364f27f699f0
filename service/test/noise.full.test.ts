import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noiseAttackers } from './harness/load/noise-attackers.ts'
import { noiseLine, runNoiseDrill } from './harness/load/noise-drill.ts'

// `npm run drill -- noise` allows 3. A test shares two cores with others, which delay either half of a round.
const ratioMax = 50

test('a noisy tenant makes nothing unavailable for another tenant of its cell and processes', async (t) => {
  const attackers = noiseAttackers.filter(({ isShort }) => isShort)
  assert.ok(attackers.length >= 4)
  const drill = await runNoiseDrill({ rounds: 2, seconds: 6, attackers, report: (line) => t.diagnostic(line) })
  t.diagnostic(noiseLine(drill))
  assert.deepEqual(drill.problems, [])
  assert.equal(drill.unavailable, 0)
  assert.ok(drill.readRatio < ratioMax && drill.writeRatio < ratioMax, noiseLine(drill))
})
