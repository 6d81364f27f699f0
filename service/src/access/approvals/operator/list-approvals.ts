import { Type } from 'typebox'
import {
  directoryKeysetListOperation,
  type KeysetPage,
  keysetListOperation,
  pageOf,
} from '../../../platform/api/declare/keyset-list.ts'
import { SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import type { DirectoryContext, OperatorContext } from '../../../platform/api/declare/operation.ts'
import { approvalStates, NamedApproval } from '../approval.schema.ts'
import { type ApprovalFilter, countApprovals, selectApprovals } from '../approval.sql.ts'
import { viewNamedApproval } from '../approval.view.ts'

const header = {
  tag: 'Approvals',
  duty: 'read',
  query: {
    state: SeveralOf(approvalStates, 'Only those in this state.'),
    operation: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of this operation.' })),
  },
  namesCallers: true,
  item: NamedApproval,
  sorts: ['proposed_at'],
  errors: [],
} as const

export const listApprovals = keysetListOperation(
  {
    ...header,
    id: 'listApprovals',
    summary: 'List approvals',
    description: 'Changes that wait for a second person, or waited.',
    path: '/approvals',
  },
  ({ query, page }, context) => list({ ...query, database: 'cell' }, page, context),
)

export const listDirectoryApprovals = directoryKeysetListOperation(
  {
    ...header,
    id: 'listDirectoryApprovals',
    summary: 'List approvals about users and credentials',
    description:
      'The same for changes of users, duties, policies and credentials, which are stored apart from offerings and ' +
      'money.',
    path: '/directory-approvals',
  },
  ({ query, page }, context) => list({ ...query, database: 'directory' }, page, context),
)

async function list(
  filter: ApprovalFilter,
  page: KeysetPage,
  { tenantId, tx, now, callerNames }: OperatorContext | DirectoryContext,
) {
  const [count, rows] = await tx.batch(
    (tx) => countApprovals(tx, tenantId, filter, now),
    (tx) => selectApprovals(tx, tenantId, filter, { page, now }),
  )
  return { count, ...pageOf(rows, page, (row) => viewNamedApproval(row, callerNames, now)) }
}
