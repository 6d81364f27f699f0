import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { selectTests } from '../tests/changed-files.ts'
import type { Project } from '../tests/project.ts'
import { isIn, isPrepared } from '../tests/tiers.ts'
import { type Mutation, mutated } from './guards.ts'

export interface Outcome {
  readonly result: 'killed' | 'survived' | 'does not load' | 'out of time' | 'unstable'
  /** The test that fails. */
  readonly by?: string
  /** The first run that notices: that of the change, the gate's part of it, the rest of the gate, or the full tier. */
  readonly run?: RunName
  readonly files: number
  readonly seconds: number
}

type RunName = 'changed' | 'gate, near' | 'gate, far' | 'full'

/** Copies the last commit, with the packages of the tree. Mutations must never reach a tree that somebody edits. */
export function createCopy(root: string): { path: string; remove: () => void } {
  const path = join(mkdtempSync(join(tmpdir(), 'mutate-')), 'tree')
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', path, 'HEAD'], { cwd: root })
  for (const folder of globSync(
    ['node_modules', '{cli,console,contracts,examples/storefront,sdk,service}/node_modules'],
    { cwd: root },
  ))
    symlinkSync(join(root, folder), join(path, folder))
  const remove = () => {
    execFileSync('git', ['worktree', 'remove', '--force', path], { cwd: root })
    rmSync(join(path, '..'), { recursive: true, force: true })
  }
  return { path, remove }
}

/**
 * Applies a mutation to the copy, runs the tests selected for it until one fails, and takes it back. Runs first the
 * tests of `npm run test:changed`, then those left to the gate, nearest first.
 */
export async function tryMutation(project: Project, mutation: Mutation, secondsMax: number): Promise<Outcome> {
  const copy = project.root
  const file = join(copy, mutation.file)
  const source = readFileSync(file, 'utf8')
  const started = performance.now()
  let files = 0
  const outcome = (result: Outcome['result'], by?: string, run?: RunName): Outcome => ({
    result,
    ...(by !== undefined && { by }),
    ...(run !== undefined && { run }),
    files,
    seconds: Math.round((performance.now() - started) / 1_000),
  })
  try {
    writeFileSync(file, mutated(source, mutation))
    if (!loads(copy, mutation.file)) return outcome('does not load')
    for (const [run, selected] of runsOf(project, mutation, source)) {
      files += selected.length
      for (;;) {
        writeFileSync(file, mutated(source, mutation))
        const failed = await firstFailure(
          copy,
          selected.filter((one) => !failing.has(one)),
          secondsMax,
        )
        if (failed === 'none') break
        if (failed === 'out of time') return outcome('out of time', undefined, run)
        // A test that also fails without the mutation has noticed nothing, and is left out from now on.
        writeFileSync(file, source)
        if (passing.has(failed.file) || (await firstFailure(copy, [failed.file], secondsMax)) === 'none') {
          passing.add(failed.file)
          return outcome('killed', `${failed.name} (${failed.file})`, run)
        }
        if (failing.has(failed.file) || !selected.includes(failed.file)) return outcome('unstable', failed.file, run)
        failing.add(failed.file)
      }
    }
    return outcome('survived')
  } finally {
    writeFileSync(file, source)
  }
}

/** Test files that fail in the unchanged copy, for example because they need files that `npm test` builds first. */
const failing = new Set<string>()

/** Test files that are known to pass. */
const passing = new Set<string>()

function runsOf(project: Project, { file, line, before }: Mutation, source: string): [RunName, readonly string[]][] {
  const lines = source
    .split('\n')
    .slice(Math.max(0, line - 3), line + 2)
    .join('\n')
  const { tests, left } = selectTests(project, [{ file, lines }])
  const near = tests.map((one) => one.file)
  const all = left.map((one) => one.file)
  const ofGate = near.filter((one) => isIn('gate', one) && !isIn('everyday', one))
  // Policies hide the loss of a predicate, and predicates the loss of a policy, except from tests that disable one of
  // them.
  const isSwept = before.includes('tenant') || project.operations.some((operation) => operation.file === file)
  const sweeps = isSwept ? [...project.testFiles].filter((one) => isolationTest.test(one)) : []
  const far = all.filter((one) => !sweeps.includes(one))
  return [
    ['changed', near.filter((one) => isIn('everyday', one))],
    ['gate, near', [...new Set([...ofGate, ...sweeps.filter((one) => isIn('gate', one))])]],
    ['gate, far', far.filter((one) => isIn('gate', one))],
    ['full', [...new Set([...near, ...sweeps, ...far])].filter((one) => !isIn('gate', one) && !isPrepared(one))],
  ]
}

const isolationTest =
  /^service\/test\/(every-(operator-)?operation.*|tenant-isolation|tenant-predicates)\.[a-z.]*test\.ts$/

/** Returns true if the file can be loaded. Not tried with the main file of a process, which would start. */
function loads(copy: string, file: string): boolean {
  if (!file.endsWith('.ts') || /^service\/src\/(dev|main|maintain)\//.test(file)) return true
  const code = `await import(${JSON.stringify(join(copy, file))}); process.exit(0)`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: copy, timeout: 120_000 }).status === 0
}

interface FailedTest {
  readonly name: string
  readonly file: string
}

/** Runs test files, and stops them all at the first failure. */
async function firstFailure(
  copy: string,
  files: readonly string[],
  secondsMax: number,
): Promise<FailedTest | 'none' | 'out of time'> {
  if (files.length === 0) return 'none'
  const args = ['scripts/tests/main.ts', '--again', '--tier', 'full', ...files]
  // A separate process group, so that the processes started by tests end with it.
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  let ended: FailedTest | 'out of time' | undefined
  const end = (why: FailedTest | 'out of time') => {
    ended ??= why
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  }
  const timer = setTimeout(() => end('out of time'), secondsMax * 1_000)
  let failed: string | undefined
  for await (const line of createInterface(child.stdout)) {
    const file = /^✖ (\S+\.test\.tsx?) \(/.exec(line)?.[1]
    const name = /^\s*✖ (.*?)(?: \([\d.]+m?s\))?$/.exec(line)?.[1]
    if (file) failed = file
    else if (failed !== undefined && name !== undefined) end({ name, file: failed })
    if (failed !== undefined && /^\d+ passed/.test(line)) end({ name: 'what its output says', file: failed })
  }
  clearTimeout(timer)
  return ended ?? 'none'
}
