import { operatorStream } from '../../../platform/api/declare/stream.ts'
import { selectLastSequence } from '../event.sql.ts'
import { OperatorEvent } from './operator-event.schema.ts'
import { type OperatorEventRow, selectAllEventsAfter } from './operator-event.sql.ts'
import { viewOperatorEvent } from './operator-event.view.ts'

export const streamEvents = operatorStream(
  {
    id: 'streamEvents',
    summary: 'Follow events',
    description:
      'Sends the events of the tenant as they happen, as server-sent events: `id` is the sequence number, `event` ' +
      'the type and `data` the event. The first message is `ready`. After a disconnect, send the header ' +
      '`Last-Event-ID`, or `after`, and the stream continues with the next event, each once and in order. If events ' +
      'are missing, because they are too old or too many, a message `reset` comes first: read what you show again. ' +
      '`ready` and `reset` have the position of the stream in `data.last_sequence`. A comment every 15 s keeps the ' +
      'connection open. The stream ends when the process stops, when your session, token or duty ends, and if you ' +
      'read too slowly. With a session, use `fetch`: an `EventSource` cannot send the header `X-Console`. One ' +
      'process serves at most five streams of a person.',
    tag: 'Events',
    path: '/events/stream',
    duty: 'read',
    message: OperatorEvent,
    errors: [],
  },
  {
    head: selectLastSequence,
    read: async (tx, tenantId, range) => (await selectAllEventsAfter(tx, tenantId, range)).map(messageOf),
  },
)

function messageOf(row: OperatorEventRow) {
  return { position: Number(row.sequence), type: row.type, data: JSON.stringify(viewOperatorEvent(row)) }
}
