import { metrics } from '@opentelemetry/api'
import type { LimitFunction } from 'p-limit'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Posted, Poster } from '../platform/outbound/poster.ts'
import type { DueDelivery } from './delivery.sql.ts'

/** What delivering webhooks needs. */
export interface DeliveryContext extends JobContext {
  readonly poster: Pick<Poster, 'post'>
  /** After so many attempts a message is given up. */
  readonly triesMax: number
  /** Limits concurrent transactions: hundreds of receivers may respond at once, and the pool has twenty connections. */
  readonly limitTransactions: LimitFunction
}

/** A message, and what came of an attempt at it. */
export interface DeliveryAttempt {
  readonly message: DueDelivery
  readonly at: Date
  readonly posted: Posted
}

/** Tells the metrics of one attempt. */
export function countAttempt({ message, posted, at }: DeliveryAttempt): void {
  const { outcome, durationMs } = posted
  attempts.add(1, { outcome })
  if (outcome === 'DELIVERED' && message.eventCreatedAt && message.attemptCount === 0)
    delays.record((at.getTime() + durationMs - message.eventCreatedAt.getTime()) / 1000)
}

const meter = metrics.getMeter('webhooks')
const attempts = meter.createCounter('webhook_attempts', { description: 'Attempts to deliver a message, by outcome' })
const delays = meter.createHistogram('webhook_delay_seconds', {
  description: 'From an event to its first delivery, where the first attempt succeeded',
  unit: 's',
  advice: { explicitBucketBoundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] },
})
