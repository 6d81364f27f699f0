import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { selectTests } from '../tests/changed-files.ts'
import type { Project } from '../tests/project.ts'
import { type Mutation, mutated } from './guards.ts'

export interface Outcome {
  readonly result: 'killed' | 'survived' | 'does not load' | 'out of time' | 'unstable'
  /** The test that fails. */
  readonly by?: string
  readonly files: number
  readonly seconds: number
}

/** A copy of the last commit, with the packages of the tree. Mutations must never reach a tree that somebody edits. */
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

/** Applies a mutation to the copy, runs the tests selected for it until one fails, and takes it back. */
export async function tryMutation(project: Project, mutation: Mutation, secondsMax: number): Promise<Outcome> {
  const copy = project.root
  const file = join(copy, mutation.file)
  const source = readFileSync(file, 'utf8')
  const started = performance.now()
  const selected = testsOf(project, mutation, source)
  const outcome = (result: Outcome['result'], by?: string): Outcome => ({
    result,
    ...(by === undefined ? {} : { by }),
    files: selected.length,
    seconds: Math.round((performance.now() - started) / 1_000),
  })
  const attempt = async (change: string, files: readonly string[]) => {
    writeFileSync(file, change)
    return firstFailure(copy, files, secondsMax)
  }
  try {
    writeFileSync(file, mutated(source, mutation))
    if (!loads(copy, mutation.file)) return outcome('does not load')
    for (;;) {
      const files = selected.filter((one) => !failing.has(one))
      const failed = await attempt(mutated(source, mutation), files)
      if (failed === 'none') return outcome('survived')
      if (failed === 'out of time') return outcome('out of time')
      // A test that fails without the mutation too has seen nothing, and is not asked again.
      if ((await attempt(source, [failed.file])) === 'none') return outcome('killed', `${failed.name} (${failed.file})`)
      if (failing.has(failed.file) || !selected.includes(failed.file)) return outcome('unstable', failed.file)
      failing.add(failed.file)
    }
  } finally {
    writeFileSync(file, source)
  }
}

/** Test files that fail in the copy as it is, such as those that need what `npm test` builds first. */
const failing = new Set<string>()

function testsOf(project: Project, { file, line, before }: Mutation, source: string): readonly string[] {
  const lines = source
    .split('\n')
    .slice(Math.max(0, line - 3), line + 2)
    .join('\n')
  const selected = selectTests(project, [{ file, lines }]).tests.map((one) => one.file)
  // Policies hide the loss of a predicate and predicates that of a policy, except from those who disable one of them.
  return before.includes('tenant') ? [...new Set([...selected, ...isolationTests])] : selected
}

const isolationTests = ['every-operation', 'every-operator-operation', 'tenant-isolation'].map(
  (name) => `service/test/${name}.test.ts`,
)

/** A process's main file would start it. */
function loads(copy: string, file: string): boolean {
  if (!file.endsWith('.ts') || file.startsWith('service/src/main/')) return true
  const code = `await import(${JSON.stringify(join(copy, file))}); process.exit(0)`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: copy, timeout: 120_000 }).status === 0
}

interface FailedTest {
  readonly name: string
  readonly file: string
}

/** Runs test files from their source, two at a time, and stops them all at the first failure. */
async function firstFailure(
  copy: string,
  files: readonly string[],
  secondsMax: number,
): Promise<FailedTest | 'none' | 'out of time'> {
  if (files.length === 0) return 'none'
  const args = ['--test', '--test-concurrency=2', '--test-reporter=tap', ...files]
  // A process group of its own, so that the processes that tests started end with it.
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  let ended: FailedTest | 'out of time' | undefined
  const end = (why: FailedTest | 'out of time') => {
    ended ??= why
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  }
  const timer = setTimeout(() => end('out of time'), secondsMax * 1_000)
  let name: string | undefined
  for await (const line of createInterface(child.stdout)) {
    const failed = /^\s*not ok \d+ - (.*?)(?: # (?:SKIP|TODO).*)?$/.exec(line)
    if (failed && !/ # (SKIP|TODO)/.test(line)) name ??= failed[1]
    const location = /^\s*location: '(.*?):\d+:\d+'/.exec(line)?.[1]
    if (name !== undefined && location) end({ name, file: location.replace(`${copy}/`, '') })
  }
  clearTimeout(timer)
  return ended ?? 'none'
}
