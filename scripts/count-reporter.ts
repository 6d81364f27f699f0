/**
 * Prints one line at the end of a test run that other tools can parse: `N passed, N failed`, and `, N skipped` if any
 * were. Node does not count a skipped suite, nor its tests, which are never declared: here it counts as one.
 */
// biome-ignore lint/style/noDefaultExport: node's test runner loads a reporter as the default export
export default async function* countReporter(
  events: AsyncIterable<{
    type: string
    data: {
      file?: string
      skip?: string | boolean
      details?: { type?: string }
      counts?: { passed: number; failed: number; cancelled: number; skipped: number }
    }
  }>,
): AsyncGenerator<string> {
  let last = { passed: 0, failed: 0, cancelled: 0, skipped: 0 }
  let skippedSuites = 0
  for await (const { type, data } of events)
    if (type === 'test:summary' && data.file === undefined && data.counts) last = data.counts
    else if (type === 'test:pass' && data.skip !== undefined && data.details?.type === 'suite') skippedSuites += 1
  const skipped = last.skipped + skippedSuites
  yield `${last.passed} passed, ${last.failed + last.cancelled} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
}
