import { Type } from 'typebox'
import { Closed } from '../../platform/api/declare/fields.ts'
import { operation } from '../../platform/api/declare/operation.ts'
import { EventPage, EventTypeName } from './event.schema.ts'
import { findEventHead, selectEventsAfter } from './event.sql.ts'
import { viewEvent, viewRestored } from './event.view.ts'

const limitMin = 10
const limitMax = 50

export const listEvents = operation(
  {
    id: 'listEvents',
    summary: 'List events',
    description:
      'Returns the events of your tenant after a sequence number, oldest first: events that the scopes of the token ' +
      'allow you to read, and events of your own credential. Events are kept for 30 days. To follow events, store ' +
      'the last `sequence` that you have processed and pass it as `after`. Numbers that you do not see belong to ' +
      'events of other scopes. They have a gap only after our database was restored to an earlier moment, which ' +
      '`restored` and the event `events.restored` report.',
    tag: 'Events',
    method: 'GET',
    path: '/events',
    scopes: ['account.read', 'offering.read', 'order.read', 'wallet.read'],
    idempotency: 'none',
    query: Closed({
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 0,
          description: 'The last sequence number that you have processed.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: limitMin, maximum: limitMax, default: limitMin, description: 'The page size.' }),
      ),
      type: Type.Optional(EventTypeName),
    }),
    success: { status: 200, body: EventPage },
    errors: [],
    isExtension: true,
  },
  async ({ query }, { tenantId, tx, selfUrl, callerId, scopes }) => {
    const { after = 0, limit = limitMin, type } = query
    // One extra row shows whether there is a next page.
    const eventQuery = { after, limit: limit + 1, type: type ?? null, scopes, clientId: callerId }
    const [head, rows] = await tx.batch(
      (tx) => findEventHead(tx, tenantId),
      (tx) => selectEventsAfter(tx, tenantId, eventQuery),
    )
    const events = rows.slice(0, limit).map(viewEvent)
    const link = `${selfUrl}?after=${events.at(-1)?.sequence}&limit=${limit}${type ? `&type=${type}` : ''}`
    const next = rows.length > limit ? link : null
    return { events, last_sequence: head.lastSequence, next, restored: viewRestored(head, after) }
  },
)
