import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFixtures } from './fixtures/run-fixtures.ts'

test('hooks at the top of a file apply to that file alone', async () => {
  const results = await runFixtures(['hooks', 'hooks-of-another'])
  assert.deepEqual(
    results.map(({ fixture, counts }) => [fixture, counts]),
    [
      ['hooks', '1 passed, 0 failed'],
      ['hooks-of-another', '2 passed, 0 failed'],
    ],
  )
})

test('a file that ends the process fails, and those after it run in another process', async () => {
  const group = ['innocent', 'outcomes', 'exits', 'innocent-later', 'exits-successfully', 'killed', 'waits']
  const results = await runFixtures(group)
  const counts = new Map(results.map((result) => [result.fixture, result.counts]))
  assert.deepEqual(
    group.map((fixture) => [fixture, counts.get(fixture)]),
    [
      ['innocent', '1 passed, 0 failed'],
      ['outcomes', '1 passed, 2 failed, 5 skipped'],
      ['exits', '0 passed, 1 failed'],
      ['innocent-later', '2 passed, 0 failed'],
      ['exits-successfully', '0 passed, 1 failed'],
      ['killed', '0 passed, 1 failed'],
      ['waits', '1 passed, 0 failed'],
    ],
  )
  assert.equal(results.length, group.length)
  const textOf = (name: string) => results.find(({ fixture }) => fixture === name)?.text ?? ''
  for (const [name, how] of [
    ['exits', 'exit code 3'],
    ['exits-successfully', 'exit code 0'],
    ['killed', 'SIGKILL'],
  ] as const)
    assert.ok(textOf(name).includes(`The process ended with ${how} while it ran scripts/tests/fixtures/${name}.ts.`))
  assert.match(textOf('exits'), /What the file printed at last:\n {4}about to exit/)
})

test('a promise that is rejected after its file has ended fails that file, not the running one', async () => {
  const results = await runFixtures(['innocent', 'leaks-late-rejection', 'waits', 'innocent-later'])
  const failed = results.filter(({ counts }) => !counts.endsWith(', 0 failed'))
  assert.deepEqual(
    failed.map(({ fixture, counts }) => [fixture, counts]),
    [['leaks-late-rejection', '0 passed, 1 failed']],
  )
  assert.match(failed[0]?.text ?? '', /after .*leaks-late-rejection\.ts had ended: Error: rejected much too late\n/)
  assert.equal(results.length, 5)
})
