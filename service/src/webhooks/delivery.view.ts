import type { Static } from 'typebox'
import type { WebhookDelivery } from './delivery.schema.ts'
import type { DeliveryRow } from './delivery.sql.ts'

export function viewDelivery(row: DeliveryRow): Static<typeof WebhookDelivery> {
  return {
    event_id: row.eventId,
    event_type: row.type,
    sequence: row.sequence === null ? null : Number(row.sequence),
    state: row.state,
    created_at: row.createdAt.toISOString(),
    next_attempt_at: row.state === 'PENDING' ? row.dueAt.toISOString() : null,
    attempt_count: row.attemptCount,
    attempts: row.attempts as Static<typeof WebhookDelivery>['attempts'],
  }
}
