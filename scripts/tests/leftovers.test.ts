import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFixtures } from './fixtures/run-fixtures.ts'

const leftBy: Record<string, RegExp> = {
  'leaks-timer': /a timer that was set at .*fixtures\/leaks-timer\.ts:4:3/,
  'leaks-server': /a server at port \d+/,
  'leaks-connection': /a connection from port \d+ to port \d+/,
  'leaks-process': /the process \d+ \(sleep\)/,
  'leaks-environment': /the environment variable LEAKED/,
  'leaks-folder': /the working folder \//,
  'leaks-rejection': /an error that no test awaits: Error: rejected too late\n.*fixtures\/leaks-rejection\.ts:4:/,
}

test('only the file that leaves something behind fails, and names it', async () => {
  const [quick, slow] = [/environment|folder|rejection/, /timer|server|connection|process/].map((names) =>
    Object.keys(leftBy).filter((name) => names.test(name)),
  )
  const groups = [
    ['innocent', ...(quick ?? []), 'innocent-later'],
    ['innocent', ...(slow ?? []), 'innocent-later'],
  ]
  const results = await runFixtures(...groups)
  assert.deepEqual(results.map(({ fixture }) => fixture).toSorted(), groups.flat().toSorted())
  for (const { fixture, counts, text } of results) {
    const expected = leftBy[fixture]
    if (expected) assert.match(text, new RegExp(`fixtures/${fixture}\\.ts leaves behind: ${expected.source}`))
    else assert.match(text, /^✔ [^\n]*\n$/)
    if (expected) assert.equal(counts, '1 passed, 1 failed')
    else assert.match(counts, /^\d passed, 0 failed$/)
    assert.equal(text.split('leaves behind: ').length, expected ? 2 : 1)
  }
})

test('a file that changes a row of another file’s tenant fails, and names the table', async () => {
  const results = await runFixtures(['tenant-created', 'innocent', 'tenant-changed', 'innocent-later'])
  assert.deepEqual(
    results.map(({ fixture, counts }) => [fixture, counts]),
    [
      ['tenant-created', '1 passed, 0 failed'],
      ['innocent', '1 passed, 0 failed'],
      ['tenant-changed', '1 passed, 1 failed'],
      ['innocent-later', '2 passed, 0 failed'],
    ],
  )
  assert.match(results[2]?.text ?? '', /a change of another file's tenant in directory\.approval_policy/)
})
