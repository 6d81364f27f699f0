import type { Logger } from '../../base/log.ts'
import { type RunningLoop, runLoop } from '../../base/run-loop.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import type { Databases } from '../pools.ts'
import type { CacheInvalidations } from './cache-invalidations.ts'

/** The subject of invalidations of the list of cells; see directory.invalidate_cells. */
const cellsSubject = '00000000-0000-0000-0000-000000000000'

/**
 * Keeps the list of cells up to date with the directory: now, on each notice of a change, and now and then in case a
 * notice was missed. Resolves once the list was read, or after two seconds: a process also starts without its
 * directory.
 */
export async function followCells(
  databases: Databases,
  invalidations: CacheInvalidations,
  log: Logger,
): Promise<RunningLoop> {
  const first = Promise.withResolvers<void>()
  const refresh = async () => {
    try {
      await databases.refreshCells()
      first.resolve()
      return againMs
    } catch (error) {
      log.warn({ err: error }, 'the cells of the directory could not be read; retrying')
      return retryMs
    }
  }
  const following = runLoop('follow cells', againMs, refresh)
  invalidations.listen((subject) => {
    if (subject === cellsSubject) following.wake()
  })
  await withTimeout(first.promise, startMs).catch(() => undefined)
  return following
}

const againMs = 60_000
const retryMs = 1_000
const startMs = 2_000
