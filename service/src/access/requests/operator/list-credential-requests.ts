import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { RequestEntry } from '../request.schema.ts'
import { viewRequest } from '../request.view.ts'
import { pageOfLoggedRequests } from '../request-log.sql.ts'

export const listCredentialRequests = keysetListOperation(
  {
    id: 'listCredentialRequests',
    summary: 'List the requests of a credential',
    description:
      'What `GET /requests` shows to the integrator: the requests of the last 30 days, never a body. Credentials are ' +
      'in the directory and the log in the cell, so an unknown credential has an empty list.',
    tag: 'Credentials',
    path: '/credential-requests',
    duty: 'read',
    item: RequestEntry,
    query: {
      client_id: Uuid('The credential.'),
      failed: Type.Optional(
        Type.Enum(['true', 'false'], { default: 'false', description: 'Only requests whose response was an error.' }),
      ),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const filter = { clientId: query.client_id, failedOnly: query.failed === 'true' }
    const { count, rows } = await pageOfLoggedRequests(tx, tenantId, filter, page)
    return { count, ...pageOf(rows, page, viewRequest) }
  },
)
