import { Type } from 'typebox'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { AnyEventTypeName, OperatorEvent } from './operator-event.schema.ts'
import { countEvents, selectEvents } from './operator-event.sql.ts'
import { viewOperatorEvent } from './operator-event.view.ts'

export const listEventsForOperator = keysetListOperation(
  {
    id: 'listEvents',
    summary: 'List events',
    description:
      'Everything that happened in the tenant in the last 30 days, newest first: what integrators read and receive ' +
      'by webhook, and what only operators see, such as unassigned payments, approvals and alarms. ' +
      '`GET /events/stream` sends the same events as they happen.',
    tag: 'Events',
    path: '/events',
    duty: 'read',
    item: OperatorEvent,
    query: { type: Type.Optional(AnyEventTypeName) },
    errors: [],
  },
  async ({ query: { type }, page }, { tenantId, tx }) => {
    const [count, rows] = await tx.batch(
      (tx) => countEvents(tx, tenantId, type),
      (tx) => selectEvents(tx, tenantId, type, page),
    )
    return { count, ...pageOf(rows, page, viewOperatorEvent) }
  },
)
