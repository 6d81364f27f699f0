import type { OperatorOperation, OperatorStream } from '../../platform/api/declare/operation.ts'
import { listEventsForOperator } from '../../records/events/operator/list-events-for-operator.ts'
import { streamEvents } from '../../records/events/operator/stream-events.ts'
import { getOfferingSummary } from './operator/get-offering-summary.ts'
import { getTenantSummary } from './operator/get-tenant-summary.ts'
import { listSeries } from './operator/list-series.ts'

/** Operations on sums and events. */
export const overviewOperations: readonly OperatorOperation[] = [
  getTenantSummary, //                 GET   /summary
  getOfferingSummary, //               GET   /offerings/:offeringId/summary
  listSeries, //                       GET   /offerings/:offeringId/series
  listEventsForOperator, //            GET   /events
]

/** Streams that operators can follow. */
export const operatorStreams: readonly OperatorStream[] = [
  streamEvents, //                     GET   /events/stream
]
