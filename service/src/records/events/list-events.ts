import { Type } from 'typebox'
import { operation } from '../../platform/api/declare/operation.ts'
import { EventPage, EventTypeName } from './event.schema.ts'
import { lastSequence, listEventsAfter } from './event.sql.ts'
import { viewEvent } from './event.view.ts'

const limitMin = 10
const limitMax = 50

export const listEvents = operation(
  {
    id: 'listEvents',
    summary: 'Read what has happened',
    description:
      'The events of your tenant behind a number, oldest first, for 30 days: those of the scopes that the token ' +
      'carries, and those of its own credential. To follow, keep the last `sequence` that you have seen and ask for ' +
      'what comes `after` it. Numbers have no gaps; those that you do not see are of other scopes.',
    tag: 'Events',
    method: 'GET',
    path: '/events',
    scopes: ['account.read', 'offering.read', 'order.read', 'wallet.read'],
    idempotency: 'none',
    query: Type.Object(
      {
        after: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            default: 0,
            description: 'The last sequence that you have seen.',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: limitMin, maximum: limitMax, default: limitMin, description: 'How many to return.' }),
        ),
        type: Type.Optional(EventTypeName),
      },
      { additionalProperties: false },
    ),
    success: { status: 200, body: EventPage },
    errors: [],
    isExtension: true,
  },
  async ({ query }, { tenantId, tx, here, callerId, scopes }) => {
    const { after = 0, limit = limitMin, type } = query
    // One more than asked for tells whether there is a next page.
    const wanted = { after, limit: limit + 1, type: type ?? null, scopes, clientId: callerId }
    const [last, rows] = await Promise.all([lastSequence(tx, tenantId), listEventsAfter(tx, tenantId, wanted)])
    const events = rows.slice(0, limit).map(viewEvent)
    const link = `${here}?after=${events.at(-1)?.sequence}&limit=${limit}${type ? `&type=${type}` : ''}`
    return { events, last_sequence: last, next: rows.length > limit ? link : null }
  },
)
