/** Prints one line at the end of a test run that other tools can parse: `N passed, N failed`, and `, N skipped` if any were. */
// biome-ignore lint/style/noDefaultExport: node's test runner loads a reporter as the default export
export default async function* countReporter(
  events: AsyncIterable<{
    type: string
    data: { file?: string; counts?: { passed: number; failed: number; cancelled: number; skipped: number } }
  }>,
): AsyncGenerator<string> {
  let last = { passed: 0, failed: 0, cancelled: 0, skipped: 0 }
  for await (const { type, data } of events)
    if (type === 'test:summary' && data.file === undefined && data.counts) last = data.counts
  const skipped = last.skipped > 0 ? `, ${last.skipped} skipped` : ''
  yield `${last.passed} passed, ${last.failed + last.cancelled} failed${skipped}\n`
}
