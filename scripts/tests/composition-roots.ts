// Everything is reachable through these, so they do not show what a test tests: an API or a worker imports everything.

const tables = /^service\/src\/(.+-)?operations\.ts$|^service\/src\/.+\/[\w-]+-operations\.ts$/

const roots = new Set([
  'service/src/background.ts',
  'service/src/error-table.ts',
  'service/src/api-description.ts',
  'service/src/operator-api-description.ts',
  ...['api', 'operator-api', 'worker', 'indexer', 'open-api', 'integrator-api', 'served-operator-api', 'serve'].map(
    (name) => `service/src/main/${name}.ts`,
  ),
  'service/src/dev/dev.ts',
])

/** Returns true if a file only puts other modules together. */
export function isCompositionRoot(file: string): boolean {
  return roots.has(file) || isOperationTable(file)
}

/** Returns true if a file only lists operations: `operations.ts`, and the table of each room. */
export function isOperationTable(file: string): boolean {
  return tables.test(file)
}

const forEverything: readonly (readonly [files: RegExp, reason: string])[] = [
  [/(^|\/)package(-lock)?\.json$/, 'changes what every file imports'],
  [/(^|\/)tsconfig[\w.]*\.json$/, 'changes how every file is built'],
  [
    /^scripts\/tests\/(group|leftovers|late-errors|file-result|main|run-group|repeat-failed)[a-z-]*\.ts$/,
    'runs the tests',
  ],
  [/^scripts\/tests\/(tiers|bundle|last-run|checkout-state)\.ts$|^\.ci\//, 'runs the tests'],
  [
    /^service\/src\/main\/(open-[a-z]+|lifetime|integrator-api|served-operator-api|serve|api|operator-api|worker|indexer)\.ts$/,
    'starts what tests call',
  ],
]

/** Returns the reason why a change can break any test; undefined if it cannot. */
export function whyEverything(file: string): string | undefined {
  const reason = forEverything.find(([files]) => files.test(file))?.[1]
  return reason && `${file} ${reason}`
}

/**
 * Recognizes tests that send something to every operation, or replay long series of them. They call the changed
 * operation, but its own tests fail sooner and more clearly. They run at the gate.
 */
export function isSweep(file: string): boolean {
  return sweeps.test(file)
}

const sweeps =
  /\/(every-(operator-)?operation[\w-]*|tenant-isolation|nasty-\w+|hostile-requests|fuzz|attack|chaos|noise|[\w-]*crash|lone-clerks|secrets-nowhere)\.test\.ts$/

/** Tests of tables, quick enough to run for any change of a table. */
export const tableTests = ['operations-table', 'operator-operations-table', 'openapi', 'operator-openapi'].map(
  (name) => `service/test/${name}.test.ts`,
)

/** The rules about files themselves: size, imports, names. */
export const structureTest = 'service/test/tidy.test.ts'
/** Reads every statement. */
export const predicateTest = 'service/test/tenant-predicates.everyday.test.ts'

/** Returns the sweep over all operations like the one in this file: it tests the operation if nothing else does. */
export function sweepOf(operationFile: string): string {
  return `service/test/every-${operationFile.includes('/operator/') ? 'operator-' : ''}operation.test.ts`
}
