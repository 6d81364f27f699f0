import { basename, dirname } from 'node:path'
import { isSweep } from './composition-roots.ts'
import { type Reached, reachedFrom } from './import-graph.ts'
import type { Project } from './project.ts'

/** A test file that a change can break, and its distance from the change. */
export interface Candidate {
  readonly file: string
  readonly distance: number
  readonly because: string
}

/** A changed module, or one whose text is unchanged but which names a changed table, as `because` explains. */
export interface ChangedModule {
  readonly file: string
  readonly because?: string | undefined
}

/**
 * Returns the tests that changed modules can break, nearest first, each once. A test is near if it
 *
 * 1. is beside the module (1, and runs after those that name it),
 * 2. imports it, directly (1) or through modules of the service (one more for each),
 * 3. calls an operation that imports it, in its own text (1 more than the operation needs) or in that of a harness
 *    module that few tests import (one more for each step to the test),
 * 4. is beside a loop or job that imports it, or starts a worker in the same resource folder (1 more).
 *
 * Nothing leads through a composition root or a widely used harness module: everything would be near.
 */
export function testsOfModules(project: Project, modules: readonly ChangedModule[]): readonly Candidate[] {
  const starts = new Map(modules.map(({ file, because }) => [file, because]))
  const reached = reachedFrom(starts.keys(), project.importers, project.isOpaque)
  const why = (file: string) => reasonOf(file, reached, starts)
  const candidates = [
    ...importing(project, reached, why),
    ...calling(project, reached),
    ...working(project, reached),
    ...[...starts.keys()].flatMap((file) => beside(project, file, 1.5)),
  ]
  return nearest(candidates, [...starts.keys()])
}

function beside({ testFiles }: Project, file: string, distance: number): Candidate[] {
  const folder = dirname(file)
  // At the top of a room, and in the folder of tests that belong to no file, neighbours have little in common.
  if (!/^service\/src\/[\w-]+\/|^[\w/-]+\/src\//.test(`${folder}/`) || testFiles.has(file)) return []
  const inFolder = [...testFiles].filter((test) => dirname(test) === folder)
  // Tests of operators' operations are often one folder higher.
  const found = inFolder.length > 0 ? inFolder : [...testFiles].filter((test) => dirname(test) === resourceOf(file))
  return found.map((test) => ({ file: test, distance, because: `is beside ${basename(file)}` }))
}

function importing(
  { testFiles }: Project,
  reached: ReadonlyMap<string, Reached>,
  why: (file: string) => string,
): Candidate[] {
  return [...reached]
    .filter(([file]) => testFiles.has(file))
    .map(([file, { steps }]) => ({ file, distance: steps, because: why(file) }))
}

function calling(project: Project, reached: ReadonlyMap<string, Reached>): Candidate[] {
  return project.operations.flatMap((operation) => {
    const steps = reached.get(operation.file)?.steps
    if (steps === undefined) return []
    const callers = (project.callers.get(operation) ?? []).filter((file) => !project.isOpaque(file))
    const reachedTests = reachedFrom(callers, project.importers, project.isOpaque)
    return [...reachedTests]
      .filter(([file]) => project.testFiles.has(file) && !isSweep(file))
      .map(([file, { steps: more, from }]) => ({
        file,
        distance: steps + 1 + more,
        because: `calls ${operation.method} ${operation.path}${from ? ` through ${basename(from)}` : ''}`,
      }))
  })
}

/** Recognizes tests that start a process which runs loops and jobs. */
const startsWorker = /\.startWorker(Process)?\(|\.startWithoutWaiting\('worker'|startProcess\('worker'/

function working(project: Project, reached: ReadonlyMap<string, Reached>): Candidate[] {
  const background = new Set(project.graph.get('service/src/background.ts'))
  return [...reached]
    .filter(([file]) => background.has(file) && /\.job\.ts$|\bloop\(/.test(`${file}${project.textOf(file)}`))
    .flatMap(([loop, { steps }]) => {
      const because = `starts a worker, which runs ${basename(loop)}`
      const workers = [...project.testFiles].filter(
        (test) => resourceOf(test) === resourceOf(loop) && startsWorker.test(project.textOf(test)),
      )
      return [...beside(project, loop, steps + 1.5), ...workers.map((file) => ({ file, distance: steps + 1, because }))]
    })
}

/** Returns the folder of a resource. The operations of operators are in a folder below it. */
const resourceOf = (file: string) => dirname(file).replace(/\/operator$/, '')

function reasonOf(
  file: string,
  reached: ReadonlyMap<string, Reached>,
  starts: ReadonlyMap<string, string | undefined>,
): string {
  const path = [file]
  for (let at = reached.get(file)?.from; at !== undefined; at = reached.get(at)?.from) path.push(at)
  const changed = path.at(-1) ?? file
  const given = starts.get(changed)
  if (path.length === 1) return given ?? 'has changed'
  const through = path.length > 2 ? ` through ${basename(path[1] ?? '')}` : ''
  return `imports ${basename(changed)}${through}${given ? `, which ${given}` : ''}`
}

/** Returns each test once, with its shortest reason. Of equally near ones, those of the same room and resource lead. */
function nearest(candidates: readonly Candidate[], starts: readonly string[]): readonly Candidate[] {
  const best = new Map<string, Candidate>()
  for (const one of candidates) if (one.distance < (best.get(one.file)?.distance ?? Infinity)) best.set(one.file, one)
  const apart = (file: string) => Math.min(...starts.slice(0, 50).map((start) => foldersApart(file, start)))
  return [...best.values()]
    .map((one) => ({ one, apart: apart(one.file) }))
    .toSorted(
      (a, b) =>
        Math.floor(a.one.distance) - Math.floor(b.one.distance) ||
        a.apart - b.apart ||
        a.one.distance - b.one.distance ||
        (a.one.file < b.one.file ? -1 : 1),
    )
    .map(({ one }) => one)
}

function foldersApart(one: string, other: string): number {
  const [a, b] = [dirname(one).split('/'), dirname(other).split('/')]
  const shared = a.findIndex((name, index) => name !== b[index])
  return shared < 0 ? b.length - a.length : a.length + b.length - 2 * shared
}
