import { Type } from 'typebox'
import { directoryListOperation } from '../../../platform/api/declare/page.ts'
import { Approval, approvalStates } from '../approval.schema.ts'
import { countApprovals, selectApprovals } from '../approval.sql.ts'
import { viewApproval } from '../approval.view.ts'

export const listDirectoryApprovals = directoryListOperation(
  {
    id: 'listDirectoryApprovals',
    summary: 'List approvals about users and credentials',
    description:
      'The same for changes of users, duties, policies and credentials, which are stored apart from offerings and ' +
      'money.',
    tag: 'Approvals',
    path: '/directory-approvals',
    duty: 'read',
    query: {
      state: Type.Optional(Type.Enum(approvalStates, { description: 'Only those in this state.' })),
      operation: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of this operation.' })),
    },
    item: Approval,
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, now }) => {
    const filter = { ...query, database: 'directory' } as const
    const [count, rows] = await Promise.all([
      countApprovals(tx, tenantId, filter, now),
      selectApprovals(tx, tenantId, filter, { page, now }),
    ])
    return { count, results: rows.map((row) => viewApproval(row, now)) }
  },
)
