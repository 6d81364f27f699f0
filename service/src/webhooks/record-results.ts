import type { Transaction } from '../platform/db/transaction.ts'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { type RecordedAttempt, recordAttempts } from './delivery.sql.ts'
import type { DeliveryAttempt, DeliveryContext } from './delivery.ts'
import { disableLockedEndpoint, type EndpointKey, type EndpointRow, updateHealth } from './endpoint.sql.ts'
import { askedPause, healthAfter, reasonToDisable } from './endpoint-health.ts'
import { mailEndpointDisabled } from './mail-endpoint-disabled.job.ts'
import { pauseAfter } from './schedule.ts'

interface Outcomes {
  readonly locked: EndpointRow
  readonly turn: EndpointKey
  readonly attempts: readonly DeliveryAttempt[]
  readonly told: readonly string[]
}

/**
 * What a round of attempts means for its messages and for their endpoint, which is held. Tells the endpoint as it is
 * afterwards. Only the step from enabled to disabled is told to anybody, and only one transaction takes it.
 */
export async function recordOutcomes(
  delivery: DeliveryContext,
  tx: Transaction,
  { locked, turn, attempts, told }: Outcomes,
): Promise<EndpointRow> {
  const now = delivery.clock()
  await recordAttempts(
    tx,
    turn,
    attempts.map((attempt) => recorded(attempt, now, delivery.triesMax)),
  )
  if (locked.disabledAt) return locked
  const posted = attempts.map((attempt) => attempt.posted)
  const health = healthAfter(locked, posted, now, Math.random())
  const reason = reasonToDisable(locked, posted, now)
  if (health.failures > 0 || locked.failures > 0 || locked.blockedUntil) await updateHealth(tx, turn, health)
  if (!reason) return { ...locked, ...health }
  await disableLockedEndpoint(tx, turn, reason)
  for (const userId of told)
    await enqueueJob(tx, mailEndpointDisabled, {
      tenant_id: turn.tenantId,
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
  delivery.log.warn({ tenant_id: turn.tenantId, endpoint_id: locked.id, problem: reason }, 'webhook endpoint disabled')
  return { ...locked, ...health, disabledAt: now, disabledReason: reason }
}

function recorded({ message, at, posted }: DeliveryAttempt, now: Date, triesMax: number): RecordedAttempt {
  const { eventId, day, tries, attemptCount } = message
  const entry = {
    number: attemptCount + 1,
    at: at.toISOString(),
    outcome: posted.outcome,
    status_code: posted.statusCode,
    duration_ms: posted.durationMs,
  }
  if (posted.outcome === 'DELIVERED') return { eventId, day, state: 'DELIVERED', dueAt: now, entry }
  const pause = pauseAfter(tries + 1, triesMax, Math.random())
  if (pause === null) return { eventId, day, state: 'FAILED', dueAt: now, entry }
  const wait = Math.max(pause, askedPause(posted, now))
  return { eventId, day, state: 'PENDING', dueAt: new Date(now.getTime() + wait), entry }
}
