import { findTenantSettings } from '../access/settings/tenant-settings.sql.ts'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { recordEvent } from '../records/events/event.sql.ts'
import { type RecordedAttempt, recordAttempts } from './delivery.sql.ts'
import type { DeliveryAttempt, DeliveryContext } from './delivery.ts'
import {
  type DisabledReason,
  disableLockedEndpoint,
  type EndpointKey,
  type EndpointRow,
  markVerified,
  updateHealth,
} from './endpoint.sql.ts'
import { healthAfter, reasonToGiveUp, requestedDelayMs } from './endpoint-health.ts'
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
    attempts.map((attempt) => recordedAttempt(attempt, locked, now, context.deliveryAttemptsMax)),
  )
  if (locked.disabledAt) return locked
  const isVerified = attempts.some((attempt) => isEchoOf(attempt, locked))
  if (isVerified) await recordVerification(context, tx, job)
  const posted = attempts.map(({ result }) => result)
  const health = healthAfter(locked, posted, now, Math.random())
  const reason = reasonToDisable(context, locked, attempts)
  if (health.failures > 0 || locked.failures > 0 || locked.backoffUntil) await updateHealth(tx, job, health)
  await recordHealthChange(tx, job, locked.failures, health.failures)
  const verified = isVerified ? { verifiedAt: now, challenge: null, challengeEndsAt: null } : {}
  if (!reason) return { ...locked, ...health, ...verified }
  await disableAndNotify(context, tx, results, { reason, now })
  return { ...locked, ...health, disabledAt: now, disabledReason: reason }
}

// A receiver that restarts fails once or twice; nobody has to know.
const reportedFailures = 3

/** Informs operators that an endpoint has begun to fail, or has recovered. */
async function recordHealthChange(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  before: number,
  after: number,
): Promise<void> {
  const data = { endpoint_id: endpointId }
  if (after === reportedFailures) await recordEvent(tx, tenantId, { type: 'webhook_endpoint.failing', data })
  if (after === 0 && before >= reportedFailures)
    await recordEvent(tx, tenantId, { type: 'webhook_endpoint.recovered', data })
}

/** Returns true if the receiver echoed the current challenge: a URL that was replaced meanwhile verifies nothing. */
function isEchoOf({ challenge, result }: DeliveryAttempt, locked: EndpointRow): boolean {
  return challenge !== null && challenge === locked.challenge && result.outcome === 'DELIVERED'
}

async function recordVerification({ log }: DeliveryContext, tx: Transaction, job: EndpointKey): Promise<void> {
  await markVerified(tx, job)
  await appendAudit(
    tx,
    { type: 'system', id: null, requestId: null },
    { action: 'webhook_endpoint.verified', subject: { type: 'webhook_endpoint', id: job.endpointId } },
  )
  log.info({ tenant_id: job.tenantId, endpoint_id: job.endpointId }, 'webhook endpoint verified')
}

/** Returns the reason to disable the endpoint after these attempts, or null. */
export function reasonToDisable(
  { clock, deliveryAttemptsMax }: Pick<DeliveryContext, 'clock' | 'deliveryAttemptsMax'>,
  endpoint: EndpointRow,
  attempts: readonly DeliveryAttempt[],
): DisabledReason | null {
  const now = clock()
  const reason = reasonToGiveUp(
    endpoint,
    attempts.map(({ result }) => result),
    now,
  )
  const isUnverified = attempts.some(
    (attempt) =>
      attempt.challenge !== null &&
      attempt.challenge === endpoint.challenge &&
      attempt.result.outcome !== 'DELIVERED' &&
      isLastVerification(attempt, endpoint, now, deliveryAttemptsMax),
  )
  return reason ?? (isUnverified ? 'UNVERIFIED' : null)
}

/** Returns true if the next attempt would be after the receiver's hour. Ignores jitter, so that every call agrees. */
function isLastVerification(
  { delivery, challenge, result }: DeliveryAttempt,
  { challengeEndsAt }: EndpointRow,
  now: Date,
  attemptsMax: number,
): boolean {
  if (challenge === null || !challengeEndsAt) return false
  const delayMs = retryDelayMs(delivery.attemptsSinceQueued + 1, attemptsMax, 0)
  if (delayMs === null) return true
  return now.getTime() + Math.max(delayMs, requestedDelayMs(result, now)) > challengeEndsAt.getTime()
}

async function disableAndNotify(
  { log }: DeliveryContext,
  tx: Transaction,
  { locked, job, adminIds }: BatchResults,
  { reason, now }: { reason: DisabledReason; now: Date },
): Promise<void> {
  await disableLockedEndpoint(tx, job, reason)
  const data = { endpoint_id: locked.id, reason }
  await recordEvent(tx, job.tenantId, { type: 'webhook_endpoint.disabled', data })
  const isMailed = (await findTenantSettings(tx, job.tenantId)).mails_disabled_endpoints
  for (const userId of isMailed ? adminIds : [])
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

function recordedAttempt(
  attempt: DeliveryAttempt,
  endpoint: EndpointRow,
  now: Date,
  attemptsMax: number,
): RecordedAttempt {
  const { delivery, at, result } = attempt
  const { eventId, day, queuedFor, attemptsSinceQueued, attemptCount } = delivery
  const entry = {
    number: attemptCount + 1,
    at: at.toISOString(),
    outcome: result.outcome,
    status_code: result.statusCode,
    duration_ms: result.durationMs,
  }
  const made = { eventId, day, queuedFor, entry }
  if (result.outcome === 'DELIVERED') return { ...made, state: 'DELIVERED', dueAt: now }
  const delayMs = retryDelayMs(attemptsSinceQueued + 1, attemptsMax, Math.random())
  if (delayMs === null || isLastVerification(attempt, endpoint, now, attemptsMax))
    return { ...made, state: 'FAILED', dueAt: now }
  const dueAt = new Date(now.getTime() + Math.max(delayMs, requestedDelayMs(result, now)))
  return { ...made, state: 'PENDING', dueAt }
}
