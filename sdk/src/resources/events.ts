import type { Call } from '../call.ts'
import type { Event, EventPage } from '../generated/schemas.ts'
import type { EventType, RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

export interface EventOptions extends RequestOptions {
  /** Only events of this type. */
  type?: EventType | undefined
  /** Page size, 10 to 50. Default: 50. */
  limit?: number | undefined
}

const limitDefault = 50

/** The events of your tenant. Their sequence numbers have no gaps; events are kept for 30 days. */
export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** One page of the events after a sequence number. `last_sequence` is the newest. Scope: any `.read` scope. */
  list({
    after,
    type,
    limit = limitDefault,
    ...options
  }: EventOptions & { after?: number | undefined } = {}): Call<EventPage> {
    return this.#transport.call('listEvents', { query: { after, type, limit }, options })
  }

  /**
   * All existing events after a sequence number, oldest first. To follow events, store the `sequence` of the last event
   * you processed and pass it next time: you then miss no event and get none twice.
   */
  async *after(sequence: number, options: EventOptions = {}): AsyncGenerator<Event, void, undefined> {
    let after = sequence
    while (true) {
      const { events, next } = await this.list({ ...options, after })
      yield* events
      const last = events.at(-1)
      // An empty page does not advance the cursor: without this check the loop would not end.
      if (next === null || !last) return
      after = last.sequence
    }
  }
}
