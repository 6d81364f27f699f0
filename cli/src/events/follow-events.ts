import { AbortError, ConnectionError, type Event, type InvestorToken, ServerError } from '@investor-token/sdk'
import { interrupted, pause } from '../base/interruption.ts'
import { note, paint } from '../base/terminal.ts'
import { paceOf } from '../session/pace.ts'

export interface Following {
  /** Begin behind this number. Default: behind the last event there is now. */
  after?: number | undefined
  /** Only these kinds. Default: all. */
  types?: readonly string[] | undefined
}

// How long to leave a service alone that did not answer although the SDK has tried several times.
const awayPauseMs = 5_000

/** Events as they happen, each one once and in order, until somebody interrupts. */
export async function* followEvents(
  client: InvestorToken,
  { after, types = [] }: Following,
): AsyncGenerator<Event, void, undefined> {
  let last = after ?? (await lastSequence(client))
  // One kind is filtered by the service, several are filtered here.
  const [type] = types.length === 1 ? types : []
  while (!interrupted.aborted) {
    try {
      const { data, headers } = await client.events.list({ after: last, type, signal: interrupted }).withResponse()
      for (const event of data.events) {
        if (types.length === 0 || types.includes(event.type)) yield event
        last = event.sequence
      }
      if (data.next === null) await pause(paceOf(headers))
    } catch (error) {
      if (error instanceof AbortError) return
      if (!(error instanceof ConnectionError || error instanceof ServerError)) throw error
      note(paint('yellow', 'The service is away; nothing is lost, trying again …', process.stderr))
      await pause(awayPauseMs)
    }
  }
}

/** Of the whole tenant, whether or not this credential may read that event. */
export async function lastSequence(client: InvestorToken): Promise<number> {
  const { last_sequence } = await client.events.list({ after: Number.MAX_SAFE_INTEGER, limit: 10, signal: interrupted })
  return last_sequence
}
