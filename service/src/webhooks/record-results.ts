import type { Transaction } from '../platform/db/transaction.ts'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { type RecordedAttempt, recordAttempts } from './delivery.sql.ts'
import type { DeliveryAttempt, DeliveryContext } from './delivery.ts'
import {
  type DisabledReason,
  disableLockedEndpoint,
  type EndpointKey,
  type EndpointRow,
  updateHealth,
} from './endpoint.sql.ts'
import { healthAfter, reasonToDisable, requestedDelayMs } from './endpoint-health.ts'
import { mailEndpointDisabled } from './mail-endpoint-disabled.job.ts'
import { retryDelayMs } from './schedule.ts'

interface BatchResults {
  readonly locked: EndpointRow
  readonly job: EndpointKey
  readonly attempts: readonly DeliveryAttempt[]
  /** The users to mail if the endpoint is disabled. */
  readonly adminIds: readonly string[]
}

/**
 * Stores the results of a batch in its deliveries and in their locked endpoint. Returns the endpoint after the change.
 * The lock lets only one transaction disable the endpoint, so the mails are sent once.
 */
export async function recordResults(
  context: DeliveryContext,
  tx: Transaction,
  results: BatchResults,
): Promise<EndpointRow> {
  const { locked, job, attempts } = results
  const now = context.clock()
  await recordAttempts(
    tx,
    job,
    attempts.map((attempt) => recordedAttempt(attempt, now, context.deliveryAttemptsMax)),
  )
  if (locked.disabledAt) return locked
  const posted = attempts.map(({ result }) => result)
  const health = healthAfter(locked, posted, now, Math.random())
  const reason = reasonToDisable(locked, posted, now)
  if (health.failures > 0 || locked.failures > 0 || locked.backoffUntil) await updateHealth(tx, job, health)
  if (!reason) return { ...locked, ...health }
  await disableAndNotify(context, tx, results, { reason, now })
  return { ...locked, ...health, disabledAt: now, disabledReason: reason }
}

async function disableAndNotify(
  { log }: DeliveryContext,
  tx: Transaction,
  { locked, job, adminIds }: BatchResults,
  { reason, now }: { reason: DisabledReason; now: Date },
): Promise<void> {
  await disableLockedEndpoint(tx, job, reason)
  for (const userId of adminIds)
    await enqueueJob(tx, mailEndpointDisabled, {
      tenant_id: job.tenantId,
      user_id: userId,
      endpoint_id: locked.id,
      disabled_at: now.toISOString(),
      reason,
    })
  await appendAudit(
    tx,
    { type: 'system', id: null, requestId: null },
    {
      action: 'webhook_endpoint.disabled',
      subject: { type: 'webhook_endpoint', id: locked.id },
      after: { disabled_reason: reason },
    },
  )
  log.warn({ tenant_id: job.tenantId, endpoint_id: locked.id, problem: reason }, 'webhook endpoint disabled')
}

function recordedAttempt({ delivery, at, result }: DeliveryAttempt, now: Date, attemptsMax: number): RecordedAttempt {
  const { eventId, day, attemptsSinceQueued, attemptCount } = delivery
  const entry = {
    number: attemptCount + 1,
    at: at.toISOString(),
    outcome: result.outcome,
    status_code: result.statusCode,
    duration_ms: result.durationMs,
  }
  if (result.outcome === 'DELIVERED') return { eventId, day, state: 'DELIVERED', dueAt: now, entry }
  const delayMs = retryDelayMs(attemptsSinceQueued + 1, attemptsMax, Math.random())
  if (delayMs === null) return { eventId, day, state: 'FAILED', dueAt: now, entry }
  const dueAt = new Date(now.getTime() + Math.max(delayMs, requestedDelayMs(result, now)))
  return { eventId, day, state: 'PENDING', dueAt, entry }
}
