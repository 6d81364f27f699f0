import { keysetListOperation } from '../../../platform/api/declare/keyset-list.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { readTimeline } from '../read-timeline.ts'
import { timelineHeader } from '../timeline-header.ts'

export const getOfferingTimeline = keysetListOperation(
  {
    id: 'getOfferingTimeline',
    summary: 'Read the timeline of an offering',
    description:
      'Events of the offering and its orders, chain ops, entries of the audit log, and notes, newest first. ' +
      'Payments and refunds are on the timelines of their orders. Events are kept for 30 days.',
    ...timelineHeader,
    path: '/offerings/:offeringId/timeline',
    params: OfferingPath,
  },
  ({ params, page }, context) => readTimeline({ subject: 'offering', subjectId: params.offeringId }, page, context),
)
