import { Type } from 'typebox'
import { viewApiRow } from '../../../platform/api/declare/api-row.ts'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { UnrequestedTransfer } from '../unrequested-transfer.schema.ts'
import { selectUnrequested } from '../unrequested-transfer.sql.ts'

export const listUnrequestedTransfers = keysetListOperation(
  {
    id: 'listUnrequestedTransfers',
    summary: 'List unrequested transfers',
    description:
      'Transfers in finalized blocks that no transfer and no token action explains, newest first. An operator judges ' +
      'each of them; none is ever removed.',
    tag: 'Transfers',
    path: '/unrequested-transfers',
    duty: 'read',
    item: UnrequestedTransfer,
    query: {
      judged: Type.Optional(Type.Enum(['true', 'false'], { description: 'Only those that are judged, or are not.' })),
      offering_id: Type.Optional(Uuid('Only transfers of units of this offering.', 'The offering.')),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await selectUnrequested(tx, tenantId, query, page)
    return { count, ...pageOf(rows, page, viewApiRow) }
  },
)
