import type { Call } from '../call.ts'
import { EventsRestoredError } from '../errors.ts'
import type { Event, EventPage } from '../generated/schemas.ts'
import type { EventType, RequestOptions } from '../options.ts'
import { limitDefault, Resource } from './resource.ts'

export interface EventOptions extends RequestOptions {
  /** Type of the events. Default: all. */
  type?: EventType | undefined
  /** Page size, 10 to 50. Default: 50. */
  limit?: number | undefined
}

/** The events of your tenant, kept for 30 days. Sequence numbers have a gap only after a restore of the service. */
export class Events extends Resource {
  /** One page of the events after a sequence number. `last_sequence` is the newest. Scope: any `.read` scope. */
  list({
    after,
    type,
    limit = limitDefault,
    ...options
  }: EventOptions & { after?: number | undefined } = {}): Call<EventPage> {
    return this.call('listEvents', { query: { after, type, limit }, options })
  }

  /**
   * Yields all existing events after a sequence number, oldest first. To follow events, store the `sequence` of the
   * last event you processed and pass it next time: you then miss no event and get none twice. If the service was
   * restored to an earlier moment since, throws EventsRestoredError after the last event that still exists: the restore
   * may have undone some of the events you processed.
   */
  async *after(sequence: number, options: EventOptions = {}): AsyncGenerator<Event, void, undefined> {
    let after = sequence
    while (true) {
      const { events, next, restored } = await this.list({ ...options, after })
      // A reader that starts from the beginning has not read any lost event.
      if (restored && sequence > 0) {
        const kept = events.filter((event) => event.sequence < restored.sequence)
        yield* kept
        if (next === null || kept.length < events.length) throw new EventsRestoredError(restored)
      } else yield* events
      const last = events.at(-1)
      // An empty page does not advance the cursor: without this check the loop would not end.
      if (next === null || !last) return
      after = last.sequence
    }
  }
}
