import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { createdRange, SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { OperatorTransferSummary } from '../transfer.schema.ts'
import { selectTokenTransfers } from '../transfer.sql.ts'
import { viewOperatorTransferSummary } from '../transfer.view.ts'
import { transferStatuses } from '../transfer-status.ts'

export const listTransfersForOperator = keysetListOperation(
  {
    id: 'listTransfers',
    summary: 'List transfers',
    description: 'Transfers of units between investors, newest first.',
    tag: 'Transfers',
    path: '/transfers',
    duty: 'read',
    item: OperatorTransferSummary,
    query: {
      status: SeveralOf(transferStatuses, 'Only transfers with this status.'),
      offering_id: Type.Optional(Uuid('Only transfers of units of this offering.', 'The offering.')),
      ...createdRange,
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await selectTokenTransfers(tx, tenantId, query, page)
    return { count, ...pageOf(rows, page, viewOperatorTransferSummary) }
  },
)
