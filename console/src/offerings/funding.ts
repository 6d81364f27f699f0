import type { Schemas } from '../api/client.ts'
import { add } from '../parts/decimal.ts'

export interface FundingDay {
  readonly day: string
  /** Until the end of the day. */
  readonly ordered: string
  readonly paid: string
  /** On the day. */
  readonly received: string
  readonly refunded: string
}

const dayMs = 86_400_000
/** Days before the first one with an event, so that a young sale shows where it began. */
const leadDays = 6

/** Every day of the series, with the days that the API leaves out because nothing happened. */
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
