import type { Schemas } from '../api/client.ts'
import { add } from '../parts/decimal.ts'

export interface FundingDay {
  readonly day: string
  /** Total until the end of the day, as is `paid`. */
  readonly ordered: string
  readonly paid: string
  /** Amount of this day only, as is `refunded`. */
  readonly received: string
  readonly refunded: string
}

const dayMs = 86_400_000
/** Empty days before the first event, so that the chart of a young sale shows where it began. */
const leadDays = 6

/** Returns every day of the series, including days without events, which the API leaves out. */
export function fundingOf({ days, to }: Schemas['OfferingSeries']): FundingDay[] {
  const first = days[0]?.day
  if (first === undefined) return []
  const byDay = new Map(days.map((day) => [day.day, day]))
  const found: FundingDay[] = []
  let [ordered, paid] = ['0', '0']
  for (let time = Date.parse(first) - leadDays * dayMs; time <= Date.parse(to); time += dayMs) {
    const day = new Date(time).toISOString().slice(0, 10)
    const own = byDay.get(day)
    ordered = add(ordered, own?.amount_ordered ?? '0')
    paid = add(paid, own?.amount_paid ?? '0')
    found.push({ day, ordered, paid, received: own?.amount_received ?? '0', refunded: own?.amount_refunded ?? '0' })
  }
  return found
}
