import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { TimelineEntry } from './timeline.schema.ts'

/** What the headers of all timelines share. */
export const timelineHeader = {
  tag: 'Timelines',
  duty: 'read',
  item: TimelineEntry,
  sorts: ['at'],
  errors: [requestErrors.not_found],
} as const
