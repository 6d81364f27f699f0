import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzRun } from './harness/fuzz-run.ts'
import { newSeed } from './harness/seeded-random.ts'

test('R014, R223: 2,000 requests, legal and not: never a 5xx, every answer as declared', async (t) => {
  const seed = newSeed()
  t.diagnostic(`seed ${seed}`)
  const { requests, failures, statuses } = await fuzzRun({ requests: 2_000, seed })
  assert.deepEqual(failures, [])
  assert.equal(requests, 2_000)
  // Of everything enough that the run means something.
  for (const status of [200, 201, 400, 401, 404, 405, 415]) assert.ok((statuses.get(status) ?? 0) > 0, `no ${status}`)
})
