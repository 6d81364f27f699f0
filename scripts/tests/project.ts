import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { calledOperations, type DeclaredOperation, operationsDeclaredIn } from './called-operations.ts'
import { isCompositionRoot } from './composition-roots.ts'
import { type ImportGraph, importersOf, importGraph, reachedFrom } from './import-graph.ts'
import { type SourceLiteral, sourceLiterals } from './source-literals.ts'

const folders = '{cli,console,contracts,deploy,examples/storefront,scripts,sdk,service}'

/** Returns all test files, as paths from the root. */
function allTestFiles(root: string): readonly string[] {
  return globSync([`${folders}/{src,test,tests}/**/*.test.{ts,tsx}`, 'examples/*/test/**/*.test.ts'], { cwd: root })
    .filter((file) => !/(^|\/)(node_modules|dist|\.bundle)\//.test(file))
    .filter((file, index, all) => all.indexOf(file) === index)
    .toSorted()
}

/** Returns true if a file exists for tests: a test file, or a module of the harness. */
export const isTestCode = (file: string) => /(^|\/)tests?\/|\.test\.tsx?$/.test(file)

/** Facts about the files of a tree. */
export interface Project {
  readonly root: string
  readonly testFiles: ReadonlySet<string>
  readonly graph: ImportGraph
  readonly importers: ReadonlyMap<string, readonly string[]>
  readonly operations: readonly DeclaredOperation[]
  /** Test code by the operation that it calls. */
  readonly callers: ReadonlyMap<DeclaredOperation, readonly string[]>
  textOf(file: string): string
  literalsOf(file: string): readonly SourceLiteral[]
  /** Returns true if reaching other files through this one means nothing. */
  isOpaque(file: string): boolean
  /** Returns the number of test files that reach a file through imports. */
  testCountOf(file: string): number
}

/**
 * A harness module that more test files import provides data rather than testing what it calls: the fixtures open an
 * offering for a hundred of them. So the imports and calls of such a module select none of them.
 */
const narrowHarnessMax = 12

export async function readProject(root: string): Promise<Project> {
  const testFiles = new Set(allTestFiles(root))
  const entries = [
    'service/src/{dev,main,maintain}/*.ts',
    'scripts/*.ts',
    'scripts/tests/*.ts',
    'cli/src/main.ts',
    'sdk/src/sdk.ts',
  ]
  const entryFiles = [...new Set([...testFiles, ...globSync(entries, { cwd: root })])].toSorted()
  const imported = await importGraph(root, entryFiles)
  const textOf = remembered((file: string) => readFileSync(join(root, file), 'utf8'))
  // The paths in the tests of this selection are examples.
  const literalsOf = remembered((file: string) =>
    file.startsWith('scripts/tests/') ? [] : sourceLiterals(file, textOf(file)),
  )
  const graph = withStartedFiles(imported, literalsOf)
  const importers = importersOf(graph)
  const testCountOf = remembered((file: string) => {
    const reached = reachedFrom([file], importers, () => false)
    return [...reached.keys()].filter((one) => testFiles.has(one)).length
  })
  const isOpaque = remembered(
    (file: string) =>
      isCompositionRoot(file) || (isTestCode(file) && !testFiles.has(file) && testCountOf(file) > narrowHarnessMax),
  )
  const sources = [...graph.keys()].filter((file) => file.startsWith('service/src/') && !isTestCode(file))
  const operations = sources.flatMap((file) => operationsDeclaredIn(file, textOf(file)))
  const callers = callersOf(operations, [...graph.keys()].filter(isTestCode), literalsOf)
  return { root, testFiles, graph, importers, operations, callers, textOf, literalsOf, isOpaque, testCountOf }
}

/** Adds the scripts and processes that tests start by their file names. */
function withStartedFiles(graph: ImportGraph, literalsOf: (file: string) => readonly SourceLiteral[]): ImportGraph {
  const started = (file: string) =>
    literalsOf(file)
      .filter(({ text }) => /\.m?[jt]sx?$/.test(text))
      .flatMap(({ text }) => [dirname(file), '.', 'service'].map((folder) => normalize(join(folder, text))))
      .filter((one) => graph.has(one) && one !== file)
  return new Map(
    [...graph].map(([file, imports]) => [
      file,
      isTestCode(file) ? [...new Set([...imports, ...started(file)])] : imports,
    ]),
  )
}

function callersOf(
  operations: readonly DeclaredOperation[],
  files: readonly string[],
  literalsOf: (file: string) => readonly SourceLiteral[],
): ReadonlyMap<DeclaredOperation, readonly string[]> {
  const callers = new Map<DeclaredOperation, string[]>()
  for (const file of files)
    for (const operation of calledOperations(literalsOf(file), operations))
      callers.set(operation, [...(callers.get(operation) ?? []), file])
  return callers
}

function remembered<Value>(compute: (file: string) => Value): (file: string) => Value {
  const known = new Map<string, Value>()
  return (file) => {
    const value = known.has(file) ? (known.get(file) as Value) : compute(file)
    known.set(file, value)
    return value
  }
}
