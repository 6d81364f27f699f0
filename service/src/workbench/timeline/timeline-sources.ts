import { moneyTimeline } from '../../money/money-timeline.sql.ts'
import { recordsTimeline } from '../../records/timeline/records-timeline.sql.ts'
import type { TimelineSource } from '../../records/timeline/timeline-source.ts'
import { salesTimeline } from '../../sales/sales-timeline.sql.ts'
import { tokensTimeline } from '../../tokens/tokens-timeline.sql.ts'

/** Everything that appears on a timeline. Each room declares its own sources. */
export const timelineSources: readonly TimelineSource[] = [
  ...recordsTimeline, // event, audit, note
  ...salesTimeline, //   refund
  ...moneyTimeline, //   payment
  ...tokensTimeline, //  chain_op
]
