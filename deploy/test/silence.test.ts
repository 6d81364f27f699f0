import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { directoryLoops, loops, queues } from '../../service/src/background.ts'
import { missingProgram } from './missing-program.ts'
import { jobsOf } from './silence/job-silences.ts'
import { innerLoops } from './silence/loop-silences.ts'
import { problemsOf } from './silence/run-silences.ts'
import { silences } from './silence/silences.ts'

const root = new URL('../../service/src/', import.meta.url)

describe('what stops by itself', () => {
  test('every loop of background.ts has a row', () => {
    const rows = new Set(silences.filter(({ kind }) => kind === 'loop').map(({ name }) => name))
    const names = new Set([...loops, ...directoryLoops].map(({ name }) => name))
    assert.deepEqual([...rows].toSorted(), [...names].toSorted())
  })

  test('every queue and job of background.ts has a row', () => {
    const current = Object.fromEntries(queues.map(({ name, jobs }) => [name, jobs.map((job) => job.name)]))
    assert.deepEqual(jobsOf, current)
  })

  test('every other loop of the processes has a row', () => {
    const names = globSync('**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...readFileSync(new URL(file, root), 'utf8').matchAll(/\brunLoop\(\s*(['`])(.*?)(?:\1|\$\{)/g),
      ])
      .map(([, , name = '']) => name)
      // The name of a loop of background.ts.
      .filter((name) => name !== '')
    assert.deepEqual(names.toSorted(), innerLoops.toSorted())
  })

  test('each is noticed within its minutes when it stops, and a quiet night pages no one', {
    skip: missingProgram('promtool'),
  }, async () => {
    assert.deepEqual(await problemsOf(silences), [])
  })
})
