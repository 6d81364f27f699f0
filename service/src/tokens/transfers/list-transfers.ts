import { Type } from 'typebox'
import { Closed, Uuid } from '../../platform/api/declare/fields.ts'
import { operation } from '../../platform/api/declare/operation.ts'
import { TransferPage } from './transfer.schema.ts'
import { selectTransfersBefore } from './transfer.sql.ts'
import { viewTransferSummary } from './transfer.view.ts'
import { transferStatuses } from './transfer-status.ts'

const limitMin = 10
const limitMax = 50

export const listTransfers = operation(
  {
    id: 'listTransfers',
    summary: 'List transfers',
    description: 'The transfers of your tenant, newest first. Read one to see what keeps it from advancing.',
    tag: 'Transfers',
    method: 'GET',
    path: '/transfers',
    scopes: ['order.read'],
    idempotency: 'none',
    query: Closed({
      before: Type.Optional(Uuid('Only transfers older than the one with this id.', 'The transfer.')),
      status: Type.Optional(Type.Enum(transferStatuses, { description: 'Only transfers with this status.' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: limitMin,
          maximum: limitMax,
          default: limitMin,
          description: 'The maximum number of transfers to return.',
        }),
      ),
    }),
    success: { status: 200, body: TransferPage },
    errors: [],
    isExtension: true,
  },
  async ({ query }, { tenantId, tx, selfUrl }) => {
    const { before, status, limit = limitMin } = query
    // One row more than the page, to know whether a next page exists.
    const rows = await selectTransfersBefore(tx, tenantId, { before, status, limit: limit + 1 })
    const transfers = rows.slice(0, limit).map(viewTransferSummary)
    const link = `${selfUrl}?before=${transfers.at(-1)?.id}&limit=${limit}${status ? `&status=${status}` : ''}`
    return { transfers, next: rows.length > limit ? link : null }
  },
)
