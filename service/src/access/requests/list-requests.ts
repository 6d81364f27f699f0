import { Type } from 'typebox'
import { Uuid } from '../../platform/api/declare/fields.ts'
import { operation } from '../../platform/api/declare/operation.ts'
import { scopes } from '../../platform/api/declare/scopes.ts'
import { RequestPage } from './request.schema.ts'
import { selectRequests as findRequests } from './request-log.sql.ts'

const limitMin = 10
const limitMax = 50

export const listRequests = operation(
  {
    id: 'listRequests',
    summary: 'Look up your last requests',
    description:
      'What this credential has asked for in the last 30 days, newest first: method, path, status, code, duration, ' +
      'idempotency key and request id, never a body. A request appears a second or two after its answer. Those ' +
      'without a valid token, and `POST /auth`, are nobody’s and are not here.',
    tag: 'Requests',
    method: 'GET',
    path: '/requests',
    // Whoever may call at all may see what became of it.
    scopes,
    idempotency: 'none',
    query: Type.Object(
      {
        before: Type.Optional(Uuid('Only entries older than this one.')),
        refused: Type.Optional(
          Type.Enum(['true', 'false'], { description: 'Only those that were answered by an error.' }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: limitMin, maximum: limitMax, default: limitMin, description: 'How many to return.' }),
        ),
      },
      { additionalProperties: false },
    ),
    success: { status: 200, body: RequestPage },
    errors: [],
    isExtension: true,
  },
  async ({ query }, { tenantId, tx, here, callerId: clientId }) => {
    const { before = null, limit = limitMin } = query
    const refused = query.refused === 'true'
    // One more than asked for tells whether there is a next page.
    const rows = await findRequests(tx, { tenantId, clientId }, { before, refused, limit: limit + 1 })
    const requests = rows.slice(0, limit).map((row) => ({
      id: row.id,
      request_id: row.requestId,
      answered_at: row.answeredAt.toISOString(),
      method: row.method,
      path: row.route,
      status: row.status,
      code: row.code,
      duration_ms: row.durationMs,
      idempotency_key: row.idempotencyKey,
    }))
    const link = `${here}?before=${requests.at(-1)?.id}&limit=${limit}${refused ? '&refused=true' : ''}`
    return { requests, next: rows.length > limit ? link : null }
  },
)
