import type { Static } from 'typebox'
import type { Event } from './event.schema.ts'
import type { EventRow } from './event.sql.ts'

/** An event as GET /events and webhooks return it. */
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
