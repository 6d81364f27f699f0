import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'
import type { FileResult, TestEvent } from './file-result.ts'

const slowestShown = 10

/** Formats a line for a file, and all details of its failures. */
export async function textOf(result: FileResult): Promise<string> {
  const { file, passed, failed, skipped, seconds } = result
  const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
  const line = `${failed > 0 ? '✖' : '✔'} ${file} (${counts}, ${seconds.toFixed(1)} s)\n`
  if (failed === 0) return line
  const details: string[] = []
  for (const failure of result.failures) {
    details.push(await asNodePrints(failure))
    const log = result.logs.get(failure)
    if (log) details.push(`  The log of the test's APIs:\n${log.map((one) => `    ${one}`).join('\n')}\n\n`)
  }
  const { output } = result
  return `${line}${details.join('')}${output ? `  What the file printed at last:\n${output.replaceAll(/^/gm, '    ')}\n` : ''}`
}

/** Formats name, place, and error with its difference. */
async function asNodePrints(failure: TestEvent): Promise<string> {
  const { data } = failure
  const text = await Readable.from([{ ...failure, data: { ...data, nesting: 0 } }])
    .compose(new spec())
    .toArray()
  const [, details = ''] = text.join('').split(/failing tests:.*\n/)
  return details.trimStart()
}

/** Lists the files that took longest, with their CPU time, so that growth is noticed. */
export function slowest(results: readonly FileResult[]): string {
  const rows = results
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, slowestShown)
    .map(
      ({ seconds, cpuSeconds, file }) =>
        `${seconds.toFixed(1).padStart(7)} ${cpuSeconds.toFixed(1).padStart(7)}  ${file}`,
    )
  const [seconds, cpu] = [sum(results, 'seconds'), sum(results, 'cpuSeconds')]
  return [
    `The slowest of ${results.length} files: seconds, CPU seconds (without PostgreSQL) and name`,
    ...rows,
    `${seconds.toFixed(1).padStart(7)} ${cpu.toFixed(1).padStart(7)}  all`,
    '',
  ].join('\n')
}

/** Formats the last line, which other tools read. */
export function countsOf(results: readonly FileResult[]): string {
  const skipped = sum(results, 'skipped')
  return `${sum(results, 'passed')} passed, ${sum(results, 'failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
}

function sum(results: readonly FileResult[], what: 'passed' | 'failed' | 'skipped' | 'seconds' | 'cpuSeconds'): number {
  return results.reduce((total, result) => total + result[what], 0)
}
