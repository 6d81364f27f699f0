import { Type } from 'typebox'
import { Closed, Uuid } from '../../platform/api/declare/fields.ts'
import { operation } from '../../platform/api/declare/operation.ts'
import { scopes } from '../../platform/api/declare/scopes.ts'
import { RequestPage } from './request.schema.ts'
import { viewRequest } from './request.view.ts'
import { selectRequests } from './request-log.sql.ts'

const limitMin = 10
const limitMax = 50

export const listRequests = operation(
  {
    id: 'listRequests',
    summary: 'List your last requests',
    description:
      'The requests of this credential in the last 30 days, newest first: method, path, status, code, duration, ' +
      'idempotency key and request id, never a body. A request appears a second or two after its response. Requests ' +
      'without a valid token and `POST /auth` are not logged.',
    tag: 'Requests',
    method: 'GET',
    path: '/requests',
    // Any scope will do: every client may see the log of its own requests.
    scopes,
    idempotency: 'none',
    query: Closed({
      before: Type.Optional(Uuid('Only entries older than the one with this id.')),
      failed: Type.Optional(
        Type.Enum(['true', 'false'], {
          default: 'false',
          description: 'Only requests whose response was an error.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: limitMin,
          maximum: limitMax,
          default: limitMin,
          description: 'The maximum number of requests to return.',
        }),
      ),
    }),
    success: { status: 200, body: RequestPage },
    errors: [],
    isExtension: true,
  },
  async ({ query }, { tenantId, tx, selfUrl, callerId: clientId }) => {
    const { before = null, limit = limitMin } = query
    const failedOnly = query.failed === 'true'
    // One row more than the page, to know whether a next page exists.
    const rows = await selectRequests(tx, { tenantId, clientId }, { before, failedOnly, limit: limit + 1 })
    const requests = rows.slice(0, limit).map(viewRequest)
    const link = `${selfUrl}?before=${requests.at(-1)?.id}&limit=${limit}${failedOnly ? '&failed=true' : ''}`
    return { requests, next: rows.length > limit ? link : null }
  },
)
