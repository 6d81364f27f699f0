import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { Approval, approvalStates } from '../approval.schema.ts'
import { countApprovals, selectApprovals } from '../approval.sql.ts'
import { viewApproval } from '../approval.view.ts'

export const listApprovals = operatorListOperation(
  {
    id: 'listApprovals',
    summary: 'List approvals',
    description: 'Changes that wait for a second person, or waited.',
    tag: 'Approvals',
    path: '/approvals',
    duty: 'read',
    query: {
      state: Type.Optional(Type.Enum(approvalStates, { description: 'Only those in this state.' })),
      operation: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of this operation.' })),
    },
    item: Approval,
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, now }) => {
    const filter = { ...query, database: 'cell' } as const
    const [count, rows] = await Promise.all([
      countApprovals(tx, tenantId, filter, now),
      selectApprovals(tx, tenantId, filter, { page, now }),
    ])
    return { count, results: rows.map((row) => viewApproval(row, now)) }
  },
)
