// What a test reaches through these says nothing about what it tests: an API or a worker imports everything.

const tables = /^service\/src\/(.+-)?operations\.ts$|^service\/src\/.+\/[\w-]+-operations\.ts$/

const roots = new Set([
  'service/src/background.ts',
  'service/src/error-table.ts',
  'service/src/api-description.ts',
  'service/src/operator-api-description.ts',
  ...[
    'api',
    'operator-api',
    'worker',
    'indexer',
    'open-api',
    'integrator-api',
    'served-operator-api',
    'serve',
    'dev',
  ].map((name) => `service/src/main/${name}.ts`),
])

/** Whether a file only puts together what others do. */
export function isCompositionRoot(file: string): boolean {
  return roots.has(file) || isOperationTable(file)
}

/** Whether a file only lists operations: `operations.ts`, and the table of each wing. */
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

/** Why a change can break any test; undefined if it cannot. */
export function whyEverything(file: string): string | undefined {
  const reason = forEverything.find(([files]) => files.test(file))?.[1]
  return reason && `${file} ${reason}`
}

/**
 * Tests that send something to every operation, or replay long series of them: they call the changed one, but a test of
 * its own says sooner what is wrong. They run at the gate.
 */
export function isSweep(file: string): boolean {
  return sweeps.test(file)
}

const sweeps =
  /\/(every-(operator-)?operation[\w-]*|tenant-isolation|nasty-\w+|hostile-requests|fuzz|attack|chaos|noise|[\w-]*crash|lone-clerks|secrets-nowhere)\.test\.ts$/

/** Tests of tables, quick enough for any change of what the tables say. */
export const tableTests = ['operations-table', 'operator-operations-table', 'openapi', 'operator-openapi'].map(
  (name) => `service/test/${name}.test.ts`,
)

/** The rules about files themselves: size, imports, names. */
export const structureTest = 'service/test/tidy.test.ts'
/** Reads every statement. */
export const predicateTest = 'service/test/tenant-predicates.everyday.test.ts'

/** The sweep over all operations like one in this file: what tests it if nothing else does. */
export function sweepOf(operationFile: string): string {
  return `service/test/every-${operationFile.includes('/operator/') ? 'operator-' : ''}operation.test.ts`
}
