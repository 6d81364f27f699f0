import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzRun } from './harness/fuzz-run.ts'
import { newSeed } from './harness/seeded-random.ts'

test('R014, R223: 2,000 valid and invalid requests get no 5xx, and every response matches its schema', async (t) => {
  const seed = newSeed()
  t.diagnostic(`seed ${seed}`)
  const { requests, failures, statuses } = await fuzzRun({ requests: 2_000, seed })
  assert.deepEqual(failures, [])
  assert.equal(requests, 2_000)
  // The run must cover each of these.
  for (const status of [200, 201, 400, 401, 404, 405, 415]) assert.ok((statuses.get(status) ?? 0) > 0, `no ${status}`)
})
