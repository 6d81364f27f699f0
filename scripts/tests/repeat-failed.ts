import type { FileResult } from './file-result.ts'
import { textOf } from './report.ts'
import { type RunOptions, runGroups } from './run-group.ts'

const repeatedMax = 3

/**
 * A busy machine can fail a test that depends on time, and a file can fail because of another one in its process. So up
 * to three files are repeated alone, once. If they then pass, there is a bug to fix, but it blocks no change. Returns
 * the results, with those of repeated files that passed in place of the earlier ones.
 */
export async function repeatFailed(results: readonly FileResult[], from: RunOptions): Promise<readonly FileResult[]> {
  const failed = [...new Set(results.filter((result) => result.failed > 0).map(({ file }) => file))]
  if (failed.length === 0 || failed.length > repeatedMax || from.stop.aborted) return results
  process.stdout.write(`\nRepeating ${failed.join(', ')}\n`)
  const alone = failed.map((file) => [file])
  const again: FileResult[] = []
  await runGroups(alone, { ...from, jobs: 1 }, (result) => void again.push(result))
  for (const result of again) process.stdout.write(await textOf(result))
  const passed = failed.filter((file) => again.every((result) => result.file !== file || result.failed === 0))
  for (const file of passed)
    process.stdout.write(`UNSTABLE ${file} has passed alone: time, or a file of its process, is the cause.\n`)
  const isStable = ({ file }: FileResult) => !passed.includes(file)
  return [...results.filter(isStable), ...again.filter((result) => !isStable(result))]
}
