import { relative } from 'node:path'

/** Writes each test file in which a test failed, one per line, for a second run of those alone. */
// biome-ignore lint/style/noDefaultExport: node's test runner loads a reporter as the default export
export default async function* failedFilesReporter(
  events: AsyncIterable<{ type: string; data: { file?: string } }>,
): AsyncGenerator<string> {
  const files = new Set<string>()
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.file) files.add(relative(process.cwd(), data.file))
  for (const file of files) yield `${file}\n`
}
