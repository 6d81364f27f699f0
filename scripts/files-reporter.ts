import { relative } from 'node:path'

/**
 * Writes a line with the seconds and the name of each test file as soon as it has ended, so that a run that is stopped
 * shows how far it got; and at the end `failed` with the name of each file with a failure, for a second run of those.
 */
// biome-ignore lint/style/noDefaultExport: node's test runner loads a reporter as the default export
export default async function* filesReporter(
  events: AsyncIterable<{ type: string; data: { file?: string; duration_ms?: number } }>,
): AsyncGenerator<string> {
  const failed = new Set<string>()
  for await (const { type, data } of events) {
    const name = data.file && relative(process.cwd(), data.file)
    if (!name) continue
    if (type === 'test:fail') failed.add(name)
    if (type === 'test:summary') yield `${((data.duration_ms ?? 0) / 1000).toFixed(1)} ${name}\n`
  }
  for (const name of failed) yield `failed ${name}\n`
}
