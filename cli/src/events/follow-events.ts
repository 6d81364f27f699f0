import { AbortError, ConnectionError, type Event, type InvestorToken, ServerError } from '@investor-token/sdk'
import { host } from '../base/host.ts'
import { interrupted, pause } from '../base/interruption.ts'
import { note, paint } from '../base/terminal.ts'
import { pollIntervalMs } from '../session/poll-interval.ts'

export interface FollowOptions {
  /** Sequence number to start after. Default: the last existing event. */
  after?: number | undefined
  /** Types of the events. Default: all. */
  types?: readonly string[] | undefined
}

// Added to the retries of the SDK, so that an unavailable service is not flooded.
const unavailablePauseMs = 5_000

/** Yields new events, each once and in order, until the user interrupts. */
export async function* followEvents(
  client: InvestorToken,
  { after, types = [] }: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  let last = after ?? (await lastSequence(client))
  // The service can filter by one type; several types are filtered here.
  const [type] = types.length === 1 ? types : []
  while (!interrupted.aborted) {
    try {
      const { data, headers } = await client.events.list({ after: last, type, signal: interrupted }).withResponse()
      for (const event of data.events) {
        if (types.length === 0 || types.includes(event.type)) yield event
        last = event.sequence
      }
      if (data.next === null) await pause(pollIntervalMs(headers))
    } catch (error) {
      if (error instanceof AbortError) return
      if (!(error instanceof ConnectionError || error instanceof ServerError)) throw error
      note(paint('yellow', 'The service is unavailable; retrying … No event is lost.', host().stderr))
      await pause(unavailablePauseMs)
    }
  }
}

/** Returns the last sequence number of the tenant, even if this credential may not read that event. */
export async function lastSequence(client: InvestorToken): Promise<number> {
  const { last_sequence } = await client.events.list({ after: Number.MAX_SAFE_INTEGER, limit: 10, signal: interrupted })
  return last_sequence
}
