import { Type } from 'typebox'
import { directoryKeysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { approvalStates, NamedApproval } from '../approval.schema.ts'
import { countApprovals, selectApprovals } from '../approval.sql.ts'
import { viewNamedApproval } from '../approval.view.ts'

export const listDirectoryApprovals = directoryKeysetListOperation(
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
      state: SeveralOf(approvalStates, 'Only those in this state.'),
      operation: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of this operation.' })),
    },
    namesCallers: true,
    item: NamedApproval,
    sorts: ['proposed_at'],
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, now, callerNames }) => {
    const filter = { ...query, database: 'directory' } as const
    const [count, rows] = await tx.batch(
      (tx) => countApprovals(tx, tenantId, filter, now),
      (tx) => selectApprovals(tx, tenantId, filter, { page, now }),
    )
    return { count, ...pageOf(rows, page, (row) => viewNamedApproval(row, callerNames, now)) }
  },
)
