import type { Logger } from './log.ts'
import { counter } from './metric.ts'

/**
 * Logs and counts an error instead of throwing it, so that one failing item does not stop the rest. A later run retries
 * it. The message is a label of a metric, so it is always the same text.
 */
export async function logFailure(log: Logger, message: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    failures.add(1, { problem: message })
    log.warn({ err: error }, `${message}; retrying`)
  }
}

const failures = counter('item_failures', {
  description: 'Items of a loop that failed, while its other items continue. A later run retries them',
  labels: ['problem'],
})
