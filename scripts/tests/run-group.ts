import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { FileResult, TestEvent } from './file-result.ts'
import { type FileOfGroup, fileSecondsMax } from './group-protocol.ts'
import { GroupResults } from './group-results.ts'
import { root } from './tiers.ts'

/** Place from which the tests are loaded. */
export interface LoadedFrom {
  /** Folder of the bundle; undefined to use the sources. */
  readonly bundle: string | undefined
}

export interface RunOptions extends LoadedFrom {
  /** Once it is aborted, no further group begins. */
  readonly stop: AbortSignal
}

/**
 * Runs test files in one process, one after another. Calls `ended` with the result of each as soon as it is known, and
 * again if a file that had ended is to blame for a later error. A file that ends the process has failed; those after it
 * run in another process.
 */
async function runGroup(
  files: readonly string[],
  from: LoadedFrom,
  ended: (result: FileResult) => void,
): Promise<void> {
  for (let left = files; left.length > 0; ) {
    const results = new GroupResults(left, ended)
    for await (const event of eventsOf(left, from)) results.add(event)
    left = results.endWithProcess()
  }
}

function eventsOf(files: readonly string[], { bundle }: LoadedFrom): AsyncIterable<TestEvent> {
  // Tests of the deployment build and start copies of this checkout.
  const isBundled = bundle !== undefined && !files.some((file) => file.startsWith('deploy/'))
  const pathOf = (file: string) => (isBundled ? `${bundle}/${file.replace(/\.tsx?$/, '.js')}` : `${root}${file}`)
  const group: FileOfGroup[] = files.map((name) => ({ name, url: pathToFileURL(pathOf(name)).href }))
  return run({
    files: [pathOf('scripts/tests/group-entry.ts')],
    isolation: 'process',
    timeout: files.length * fileSecondsMax * 1_000,
    execArgv: ['--enable-source-maps'],
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), 'investor-token-compiled'),
      ...process.env,
      ...(bundle !== undefined && { TEST_BUNDLE: bundle }),
      TEST_GROUP: JSON.stringify(group),
    },
  }) as AsyncIterable<TestEvent>
}

/** Two per core: most tests wait half of the time, for timers, blocks and other processes. */
export const defaultJobs = () => Number(process.env['TEST_CONCURRENCY']) || 2 * availableParallelism()

/** Starts groups in the given order. */
export async function runGroups(
  groups: readonly (readonly string[])[],
  { jobs, stop, ...from }: RunOptions & { jobs: number },
  ended: (result: FileResult) => void,
): Promise<void> {
  const waiting = [...groups]
  const work = async () => {
    for (let next = waiting.shift(); next && !stop.aborted; next = waiting.shift()) await runGroup(next, from, ended)
  }
  await Promise.all(Array.from({ length: Math.min(jobs, groups.length) }, work))
}
