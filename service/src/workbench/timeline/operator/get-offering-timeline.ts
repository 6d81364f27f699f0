import { keysetListOperation } from '../../../platform/api/declare/keyset-list.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { readTimeline } from '../read-timeline.ts'
import { TimelineEntry } from '../timeline.schema.ts'

export const getOfferingTimeline = keysetListOperation(
  {
    id: 'getOfferingTimeline',
    summary: 'Read the timeline of an offering',
    description:
      'Events of the offering and its orders, chain ops, entries of the audit log, and notes, newest first. ' +
      'Payments and refunds are on the timelines of their orders. Events are kept for 30 days.',
    tag: 'Timelines',
    path: '/offerings/:offeringId/timeline',
    duty: 'read',
    params: OfferingPath,
    item: TimelineEntry,
    sorts: ['at'],
    errors: [requestErrors.not_found],
  },
  ({ params, page }, context) => readTimeline({ subject: 'offering', subjectId: params.offeringId }, page, context),
)
