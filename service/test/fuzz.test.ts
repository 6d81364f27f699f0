import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzRun } from './harness/fuzz/fuzz-run.ts'
import { newSeed } from './harness/seeded-random.ts'
import { isFull } from './harness/test-size.ts'

// The rarest of the expected statuses, 202, is one of a hundred responses of its API: a thousand requests have ten.
const requestsPerApi = isFull ? 2_000 : 1_000

test(`R014, R223: ${isFull ? '4,000' : '2,000'} valid and invalid requests to both APIs get no 5xx, and every response matches its schema`, async (t) => {
  const seed = newSeed()
  t.diagnostic(`seed ${seed}`)
  const { apis } = await fuzzRun({ requests: 2 * requestsPerApi, seed })
  // Statuses that the run must cover.
  const covered = {
    integrator: [200, 201, 400, 401, 404, 405, 415],
    operator: [200, 201, 202, 400, 401, 403, 404, 409],
  }
  for (const { name, requests, failures, statuses } of apis) {
    assert.deepEqual(failures, [])
    assert.equal(requests, requestsPerApi)
    for (const status of covered[name]) assert.ok((statuses.get(status) ?? 0) > 0, `${name} API: no ${status}`)
  }
})
