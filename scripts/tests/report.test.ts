import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FixtureResult, runFixtures } from './fixtures/run-fixtures.ts'

test('a failure prints the same in a group as alone: name, place, difference, and log of the request', async () => {
  const [inGroup, alone] = await Promise.all([
    runFixtures(['innocent', 'fails-request', 'innocent-later']),
    runFixtures(['fails-request']),
  ])
  const [one, other] = [inGroup, alone].map(textOfFailure)
  assert.ok(one)
  assert.equal(one, other)
  assert.match(one, /^✖ scripts\/tests\/fixtures\/fails-request\.ts \(1 passed, 1 failed, /)
  assert.match(one, /\ntest at scripts\/tests\/fixtures\/fails-request\.ts:21:3\n✖ expects another status /)
  assert.match(one, /\n {2}\+ {3}status: 401\n {2}- {3}status: 299\n/)
  assert.match(one, /\n {6}at .*scripts\/tests\/fixtures\/fails-request\.ts:23:12\)\n/)
  const log = one.split("The log of the test's APIs:\n")[1] ?? ''
  assert.equal(log.trim().split('\n').length, 1, 'only the request of the failing test')
  assert.match(log, /^ {4}\{.*"operation":"listAccounts".*"status":401,/)
})

test('hooks that throw are failures; skipped suites, skipped tests and todo tests are skipped', async () => {
  const [outcomes] = await runFixtures(['outcomes'])
  assert.equal(outcomes?.counts, '1 passed, 2 failed, 5 skipped')
  assert.deepEqual(outcomes.tests, [
    { name: 'a suite whose hook throws > is not run', outcome: 'failed' },
    { name: 'the others > passes', outcome: 'passed' },
    { name: 'the others > is skipped', outcome: 'skipped' },
    { name: 'the others > skips itself', outcome: 'skipped' },
    { name: 'the others > is to do', outcome: 'skipped' },
    { name: 'the others > is to do, and fails', outcome: 'skipped' },
  ])
  assert.match(outcomes.text, /✖ a suite whose hook throws .*\n {2}Error: the hook throws\n/)
  assert.doesNotMatch(outcomes.text, /not done yet/)
})

function textOfFailure(results: readonly FixtureResult[]): string {
  const { text } = results.find(({ fixture }) => fixture === 'fails-request') ?? { text: '' }
  return text
    .replaceAll(/[\d.]+ ?m?s\)/g, '0 ms)')
    .replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":0')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'id')
}
