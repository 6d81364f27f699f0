import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newSeed } from '../../service/test/harness/seeded-random.ts'
import { restoreIsImpossible } from './restore/backed-up-server.ts'
import { runRestoreDrill } from './restore/restore-drill.ts'

describe('a restore to an earlier moment', { skip: restoreIsImpossible }, () => {
  test('keeps what was acknowledged, mints nothing twice and refunds nothing twice', async (context) => {
    const seed = newSeed()
    context.diagnostic(`seed ${seed}`)
    const result = await runRestoreDrill({ seed, seconds: 9, report: () => {} })
    assert.deepEqual(result.problems, [])
    assert.ok(result.before > 0 && result.later > 0)
    assert.deepEqual([result.mintedTwice, result.refundedTwice], [0, 0])
  })
})
