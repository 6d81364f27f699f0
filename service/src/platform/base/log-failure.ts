import type { Logger } from './log.ts'

/** Logs an error instead of throwing it, so that one failing item does not stop the rest. A later run retries it. */
export async function logFailure(log: Logger, message: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.warn({ err: error }, `${message}; retrying`)
  }
}
