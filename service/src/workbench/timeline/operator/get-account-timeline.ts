import { keysetListOperation } from '../../../platform/api/declare/keyset-list.ts'
import { AccountPath } from '../../../sales/accounts/account.schema.ts'
import { readTimeline } from '../read-timeline.ts'
import { timelineHeader } from '../timeline-header.ts'

export const getAccountTimeline = keysetListOperation(
  {
    id: 'getAccountTimeline',
    summary: 'Read the timeline of an account',
    description:
      'Events, payments and refunds of its orders, chain ops, entries of the audit log also about its wallets, and ' +
      'notes, newest first. ' +
      'Events are kept for 30 days, everything else as long as the tenant.',
    ...timelineHeader,
    path: '/accounts/:accountId/timeline',
    params: AccountPath,
  },
  ({ params, page }, context) => readTimeline({ subject: 'account', subjectId: params.accountId }, page, context),
)
