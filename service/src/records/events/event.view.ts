import type { Static } from 'typebox'
import type { Event, EventPage } from './event.schema.ts'
import type { EventHead, EventRow } from './event.sql.ts'

/** Shows an event as in GET /events and webhooks. */
export function viewEvent({ id, sequence, type, version, data, createdAt }: EventRow): Static<typeof Event> {
  return {
    id,
    sequence: Number(sequence),
    type,
    created_at: createdAt.toISOString(),
    api_version: version,
    data,
  }
}

/** Returns the last restore for a reader who may have read events that it removed. A new reader has read none. */
export function viewRestored({ restored }: EventHead, after: number): Static<typeof EventPage>['restored'] {
  if (!restored || after === 0 || after >= restored.sequence) return null
  const { restoredTo, keptSequence, sequence } = restored
  return { restored_to: restoredTo.toISOString(), kept_sequence: keptSequence, sequence }
}
