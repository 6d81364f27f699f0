import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Change, changesSince } from './changed-lines.ts'
import { modulesOfNames } from './changed-names.ts'
import {
  isOperationTable,
  predicateTest,
  structureTest,
  sweepOf,
  tableTests,
  whyEverything,
} from './composition-roots.ts'
import { modulesThatName } from './named-files.ts'
import { isTestCode, type Project, readProject } from './project.ts'
import { type Candidate, type ChangedModule, testsOfModules } from './tests-of-modules.ts'

/** A test file, and the reason why a change can break it. */
export interface SelectedTest {
  readonly file: string
  readonly because: string
}

export interface Selection {
  /** The reason why all tests are selected; undefined if only some are. */
  readonly everything: string | undefined
  /** Nearest first, so that those most likely to break run first if there is no time for all. */
  readonly tests: readonly SelectedTest[]
  /** Tests that a change can break too, but farther away than others; the gate runs them. */
  readonly left: readonly SelectedTest[]
  /** Changed files that no test reads. */
  readonly unread: readonly string[]
}

/** Twice as many as half of the operations need, and a tenth of all test files. */
const filesMax = 30

/** If more tests than this import test code, changing it changes everything. */
const harnessTestsMax = 60

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the tests that a change of the working tree since a revision can break. */
export async function testsOfChange(base = 'HEAD'): Promise<Selection> {
  const changes = changesSince(root, base)
  if (changes.length === 0) return { everything: undefined, tests: [], left: [], unread: [] }
  return selectTests(await readProject(root), changes)
}

/** Like testsOfChange, for a tree that has been read. */
export function selectTests(project: Project, changes: readonly Change[]): Selection {
  const everything = changes.map(({ file }) => whyAll(project, file)).find((reason) => reason !== undefined)
  if (everything !== undefined) {
    const tests = [...project.testFiles].map((file) => ({ file, because: everything }))
    return { everything, tests, left: [], unread: [] }
  }
  const selections = changes.map((change) => ({ change, ...selectionOf(project, change) }))
  const tests = once(selections.flatMap(({ near, also }) => [...near, ...also]).toSorted(byDistance))
  const selected = new Set(tests.map(({ file }) => file))
  const far = once(selections.flatMap((one) => one.far).toSorted(byDistance))
  return {
    everything: undefined,
    tests,
    left: far.filter(({ file }) => !selected.has(file)),
    unread: selections.filter(({ near }) => near.length === 0).map(({ change }) => change.file),
  }
}

const byDistance = (a: Candidate, b: Candidate) => a.distance - b.distance

function once(candidates: readonly Candidate[]): readonly SelectedTest[] {
  const tests = new Map<string, SelectedTest>()
  for (const { file, because } of candidates) if (!tests.has(file)) tests.set(file, { file, because })
  return [...tests.values()]
}

function whyAll(project: Project, file: string): string | undefined {
  if (project.testFiles.has(file)) return undefined
  const testCount = isTestCode(file) && project.graph.has(file) ? project.testCountOf(file) : 0
  return whyEverything(file) ?? (testCount > harnessTestsMax ? `${testCount} test files import ${file}` : undefined)
}

interface SelectionOfFile {
  readonly near: readonly Candidate[]
  readonly far: readonly Candidate[]
  /** Cheap tests that cover every such file and are specific to none. */
  readonly also: readonly Candidate[]
}

function selectionOf(project: Project, change: Change): SelectionOfFile {
  const { file } = change
  const candidates = candidatesOf(project, change)
  // Changing a harness module must select all tests that use it: each of them calls it.
  const max = isTestCode(file) ? harnessTestsMax : filesMax
  return { near: candidates.slice(0, max), far: candidates.slice(max), also: cheapTestsOf(project, file) }
}

function candidatesOf(project: Project, change: Change): readonly Candidate[] {
  const { file } = change
  const named = modulesOfNames(project, change) ?? modulesOfTable(project, change)
  const modules = named ?? (/\.tsx?$/.test(file) ? [{ file }] : [])
  const readers = modulesThatName(project, file).map((reader) => ({ file: reader, because: `reads ${file}` }))
  // A module that reads all migrations is farther away from one than a module that uses its table.
  const reading = testsOfModules(project, readers).map((one) => ({ ...one, distance: one.distance + 1.5 }))
  const built = testsOfWorkspace(project, file).filter((one) => !reading.some((other) => other.file === one.file))
  const found = [...testsOfModules(project, modules), ...reading, ...built].toSorted(byDistance)
  if (found.length > 0) return found
  // Only code that prepares tests imports it, so the tests that it prepares have to suffice.
  const wide = { ...project, isOpaque: (one: string) => !isTestCode(one) && project.isOpaque(one) }
  const prepared = testsOfModules(wide, [...modules, ...readers])
  if (prepared.length > 0) return prepared
  const isOperation = project.operations.some((operation) => operation.file === file)
  return isOperation
    ? [{ file: sweepOf(file), distance: 5, because: `calls every operation, ${basename(file)} too` }]
    : []
}

/** Returns the operations that changed lines of a table of operations name: they count as changed. */
function modulesOfTable({ graph, textOf }: Project, { file, lines }: Change): ChangedModule[] | undefined {
  if (!isOperationTable(file) && file !== 'service/src/background.ts') return undefined
  const text = lines ?? textOf(file)
  return (graph.get(file) ?? [])
    .filter((imported) => text.includes(`/${basename(imported)}'`))
    .map((imported) => ({ file: imported, because: `is listed in ${basename(file)}` }))
}

/** The console is built and the command line started before their tests, so imports do not show what those need. */
function testsOfWorkspace({ graph, testFiles }: Project, file: string): readonly Candidate[] {
  if (graph.has(file) || isTestCode(file)) return []
  const workspace = /^(cli|console|contracts|examples\/storefront|sdk)\//.exec(file)?.[0]
  if (workspace === undefined || /\.(md|txt)$/.test(file)) return []
  return [...testFiles]
    .filter((test) => test.startsWith(workspace))
    .map((test) => ({ file: test, distance: 5, because: `tests what ${workspace} builds` }))
}

function cheapTestsOf({ operations, testFiles }: Project, file: string): Candidate[] {
  const declares = operations.some((operation) => operation.file === file) || isOperationTable(file)
  const describes = /^service\/src\/.*\.(schema|errors)\.ts$/.test(file)
  const tables = declares ? tableTests : describes ? tableTests.filter((test) => test.includes('openapi')) : []
  return [
    ...tables.map((test) => ({ file: test, distance: 2, because: `reads what ${basename(file)} declares` })),
    ...(/^service\/src\/.*\.ts$/.test(file) ? [{ file: structureTest, distance: 3, because: 'reads every file' }] : []),
    ...(file.endsWith('.sql.ts') ? [{ file: predicateTest, distance: 1, because: 'reads every statement' }] : []),
  ].filter((test) => testFiles.has(test.file))
}
