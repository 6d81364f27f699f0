import type { Call } from '../call.ts'
import type { Event, EventPage } from '../generated/schemas.ts'
import type { EventType, RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

export interface EventOptions extends RequestOptions {
  /** Only this kind. */
  type?: EventType | undefined
  /** How many to fetch at once, 10 to 50. Default: 50. */
  limit?: number | undefined
}

const limitDefault = 50

/** What happened in your tenant, numbered without a gap, for 30 days. */
export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** One page of the events behind a number; `last_sequence` tells how far there are any. Scope: any that reads. */
  list({
    after,
    type,
    limit = limitDefault,
    ...options
  }: EventOptions & { after?: number | undefined } = {}): Call<EventPage> {
    return this.#transport.call('listEvents', { query: { after, type, limit }, options })
  }

  /**
   * All events behind a number that there are now, oldest first. To follow, keep the `sequence` of the last event that
   * you have worked on, and begin behind it the next time: you miss none and see none twice.
   */
  async *after(sequence: number, options: EventOptions = {}): AsyncGenerator<Event, void, undefined> {
    let after = sequence
    while (true) {
      const { events, next } = await this.list({ ...options, after })
      yield* events
      const last = events.at(-1)
      // Without an event there would be no way forward, whatever the page says.
      if (next === null || !last) return
      after = last.sequence
    }
  }
}
