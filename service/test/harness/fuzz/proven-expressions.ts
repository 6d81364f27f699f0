import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface Expression {
  readonly source: string
  readonly flags: string
}

interface Table {
  readonly recheck: string
  readonly limits: typeof limits
  /** Expressions that take linear time, as JavaScript writes them. */
  readonly safe: readonly string[]
}

// On a busy machine the slowest takes ten seconds; one that takes longer is reported as `unknown`.
const limits = { timeout: 60_000, attackTimeout: 1_000, incubationTimeout: 5_000 }

const file = new URL('../../proven-expressions.json', import.meta.url)
const { version } = createRequire(import.meta.url)('recheck/package.json') as { version: string }

/** True to write the table, which is then reviewed and committed. */
export const isUpdate = process.env['UPDATE_SNAPSHOTS'] === 'true'

export const textOf = ({ source, flags }: Expression) => `/${source}/${flags}`

/**
 * Returns the expressions that recheck has found safe before. Its verdict depends only on the expression, its version
 * and the limits, so proofs by another version or with other limits do not count.
 */
export function provenExpressions(): readonly string[] {
  const { recheck, limits: used, safe } = JSON.parse(readFileSync(file, 'utf8')) as Table
  return recheck === version && JSON.stringify(used) === JSON.stringify(limits) ? safe : []
}

export function writeProvenExpressions(safe: readonly string[]): void {
  const table: Table = { recheck: version, limits, safe }
  writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`)
}

/** Returns the verdict on each expression that is not safe. */
export async function unsafeExpressions(all: readonly Expression[]): Promise<Map<string, string>> {
  if (all.length === 0) return new Map()
  // Loading recheck takes as long as everything else together.
  const { checkSync } = await import('recheck')
  const verdicts = all.map((one) => [textOf(one), inJavaScript(() => checkSync(one.source, one.flags, limits)).status])
  return new Map(verdicts.filter(([, status]) => status !== 'safe') as [string, string][])
}

const backend = 'RECHECK_SYNC_BACKEND'

/** Uses the JavaScript version, which runs everywhere; the others are a Java archive and binaries. */
function inJavaScript<Result>(run: () => Result): Result {
  const before = process.env[backend]
  process.env[backend] = 'pure'
  try {
    return run()
  } finally {
    if (before === undefined) delete process.env[backend]
    else process.env[backend] = before
  }
}
