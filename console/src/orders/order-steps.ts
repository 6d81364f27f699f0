import type { Schemas } from '../api/client.ts'
import type { Step } from '../parts/steps.tsx'

type Order = Schemas['OperatorOrder']

const way: readonly Order['status'][] = ['ORDERED', 'PAID', 'READYTOMINT', 'MINTING', 'MINTED']
const eventOf: Readonly<Record<string, string>> = {
  'order.ready_to_mint': 'READYTOMINT',
  'order.minting': 'MINTING',
  'order.minted': 'MINTED',
}

/** Returns the progress of an order. Its events give the times of later steps. */
export function stepsOf(
  { status, created_at: createdAt, paid_at: paidAt, cancelled_at: cancelledAt }: Order,
  events: readonly { readonly type: string; readonly at: string }[],
): Step[] {
  const times: Record<string, string | null> = { ORDERED: createdAt, PAID: paidAt }
  // The newest event comes first, so the first time of each step wins.
  for (const { type, at } of events) {
    const name = eventOf[type]
    if (name) times[name] ??= at
  }
  const at = way.indexOf(status)
  const steps = way.map((name, index): Step => {
    const isPassed = at < 0 ? !!times[name] : index < at || status === 'MINTED'
    const isCurrent = index === at && status !== 'MINTED'
    const isReached = isPassed || isCurrent
    return {
      name,
      state: isPassed ? 'done' : isCurrent ? 'current' : 'open',
      at: (isReached && times[name]) || null,
      isBooking: name === 'PAID',
    }
  })
  if (at >= 0) return steps
  return [...steps.filter(({ state }) => state === 'done'), { name: status, state: 'failed', at: cancelledAt }]
}
