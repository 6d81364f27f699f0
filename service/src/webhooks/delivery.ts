import { metrics } from '@opentelemetry/api'
import type { atMost } from '../base/at-most.ts'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { TenantDatabases } from '../db/tenant-transaction.ts'
import type { Vaults } from '../db/vault.ts'
import type { Posted, Poster } from '../outbound/poster.ts'
import type { DueDelivery } from './delivery.sql.ts'

/** All that sending messages needs. */
export interface Delivery extends TenantDatabases {
  readonly vaults: Vaults
  readonly poster: Pick<Poster, 'post'>
  readonly clock: Clock
  readonly log: Logger
  /** After so many attempts a message is given up. */
  readonly triesMax: number
  /** Hundreds of endpoints answer in the same moment, and the pool has twenty connections. */
  readonly gate: ReturnType<typeof atMost>
}

/** A message, and what came of an attempt at it. */
export interface Attempt {
  readonly message: DueDelivery
  readonly at: Date
  readonly posted: Posted
}

/** Tells the metrics of one attempt. */
export function countAttempt({ message, posted, at }: Attempt): void {
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
