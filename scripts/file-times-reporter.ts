import { relative } from 'node:path'

/** Writes how many seconds each test file took, as soon as it has ended, so that a run that is stopped shows how far it got. */
// biome-ignore lint/style/noDefaultExport: node's test runner loads a reporter as the default export
export default async function* fileTimesReporter(
  events: AsyncIterable<{ type: string; data: { file?: string; duration_ms?: number } }>,
): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if (type === 'test:summary' && data.file)
      yield `${((data.duration_ms ?? 0) / 1000).toFixed(1)} ${relative(process.cwd(), data.file)}\n`
}
