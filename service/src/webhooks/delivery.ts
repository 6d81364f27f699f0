/**
 * Webhook delivery
 *
 *   event ──fan-out──▶ delivery (one per endpoint) ──delivery job (one per endpoint)──▶ attempts ──▶ final state
 *
 * 1. Fan-out (`fan-out.ts`, every 50 ms). In one transaction of the tenant, a worker inserts a PENDING delivery for
 *    every endpoint that subscribes to the event, enqueues a job for every such endpoint without one, and moves the
 *    tenant's cursor (`webhook_cursor`) past the event. So an event becomes exactly one delivery per endpoint.
 *
 * 2. Delivery job (`deliver-to-endpoint.ts`). An endpoint has at most one current job, however many deliveries are due,
 *    so a receiver that hangs occupies one slot of the queue. The job sends batches: 8 messages at once while the
 *    endpoint is healthy, 1 while it is failing. One transaction stores a batch's results and loads the next batch; no
 *    transaction is open while the worker waits for a receiver. After 10 s, or when nothing is due, the job finishes;
 *    if deliveries are still PENDING it enqueues its successor for the time at which the first one is due. A tenant may
 *    use a quarter of a queue's slots in a process; a job beyond that replaces itself by one that is due seconds later.
 *
 * Job state, in `webhook_endpoint`:
 *    has_job = false  no job exists; no delivery is PENDING, or the endpoint is disabled.
 *    has_job = true   job `job_number` is queued for, or running since, `job_due_at`. A running job renews job_due_at
 *                     with every batch. If job_due_at is more than 5 minutes old, the job is considered lost.
 *    `job_number` is a fencing token. Every new job and every disabling increments it. A worker that was frozen and
 *    resumes finds a newer number: it still stores the results of what it has sent, then stops.
 *
 * Delivery states, in `webhook_delivery`:
 *    PENDING ──2xx──────────────────────────▶ DELIVERED
 *    PENDING ──failure, attempts left───────▶ PENDING, due later (`schedule.ts`)
 *    PENDING ──failure, no attempts left────▶ FAILED
 *    PENDING ──endpoint disabled────────────▶ DROPPED (DELIVERED if an attempt in flight still succeeds)
 *    any     ──operator requests a resend───▶ PENDING, first step of the schedule, same webhook-id; a failure of an
 *                                             attempt that was in flight then changes neither
 *
 * Verification (`verification.ts`). A new endpoint, and one with a new URL, gets a single message of type
 *    endpoint.verification until it echoes the challenge in it. Its other deliveries stay PENDING until then. If the
 *    attempts within an hour fail, the worker disables the endpoint (UNVERIFIED). So a tenant cannot make the service
 *    send events, or more than one request at a time, to a host that does not want them.
 *
 * Endpoint health (`endpoint-health.ts`). A batch without any success increments `failures` and sets `backoff_until`;
 *    nothing is sent before it. While failures > 0, jobs go to the failing queue, which has its own concurrency limit,
 *    so receivers that hang cannot delay the healthy ones. One success resets the health. The worker disables the
 *    endpoint when the receiver responds 410 (GONE) or after five days without a success (FAILING), drops what is
 *    PENDING and mails the admins.
 *
 * After a crash:
 *    before fan-out commits       nothing happened; the next run of any worker repeats it.
 *    before the job starts        the queue frees the jobs of a dead worker within seconds; another worker runs it.
 *    while messages are in flight their results are lost; the deliveries are still PENDING and due, and are sent again
 *                                 with the same webhook-id. Delivery is at least once; receivers deduplicate by id.
 *    after a batch is stored      the same job runs again under the same number and continues with the next batch.
 *    the queue loses the job      `requeueLostDeliveries` (every 30 s) or the next event assigns a new job after 5 min.
 */
import { counter, histogram } from '../platform/base/metric.ts'
import type { TenantTurns } from '../platform/base/tenant-turns.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import { type OutboundClient, type PostResult, postOutcomes } from '../platform/outbound/outbound-client.ts'
import type { DueDelivery } from './delivery.sql.ts'

export interface DeliveryContext extends JobContext {
  readonly httpClient: Pick<OutboundClient, 'post'>
  /** A delivery that has failed this many times becomes FAILED. */
  readonly deliveryAttemptsMax: number
  /** Limits transactions in the cell: hundreds of receivers may respond at once, and its pool has a few connections. */
  readonly transactionTurns: TenantTurns
}

/** One delivery attempt and its result. */
export interface DeliveryAttempt {
  readonly delivery: DueDelivery
  readonly at: Date
  readonly result: PostResult
  /** The challenge that the receiver has to echo; null unless this attempt was a verification. */
  readonly challenge: string | null
}

export function countAttempt({ cell = '' }: DeliveryContext, { delivery, result, at }: DeliveryAttempt): void {
  const { outcome, durationMs } = result
  attempts.add(1, { cell, outcome })
  if (outcome === 'DELIVERED' && delivery.eventCreatedAt && delivery.attemptCount === 0)
    delays.record((at.getTime() + durationMs - delivery.eventCreatedAt.getTime()) / 1000, { cell })
}

/** Starts the counters of a cell at 0. Called once for each cell. */
export function startCountingAttempts(cell: string): void {
  for (const outcome of postOutcomes) attempts.add(0, { cell, outcome })
}

const attempts = counter('webhook_attempts', {
  description: 'Attempts to deliver a webhook',
  labels: ['cell', 'outcome'],
})
const delays = histogram('webhook_delay_seconds', {
  description: 'Time from an event to its delivery, for deliveries whose first attempt succeeded',
  labels: ['cell'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
})
