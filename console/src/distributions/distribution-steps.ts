import type { Schemas } from '../api/client.ts'
import type { Step } from '../parts/steps.tsx'

type Distribution = Schemas['Distribution']

const way = ['DRAFT', 'CALCULATED', 'APPROVED', 'PAYING', 'CLOSED'] as const

/** Returns the progress of a distribution. While a worker calculates it, the calculation is the current step. */
export function distributionSteps(distribution: Distribution): Step[] {
  const { status } = distribution
  const times: Readonly<Record<(typeof way)[number], string | null>> = {
    DRAFT: distribution.created_at,
    CALCULATED: distribution.calculated_at,
    APPROVED: distribution.approved_at,
    PAYING: distribution.paying_at,
    CLOSED: distribution.closed_at,
  }
  if (status === 'CANCELLED')
    return [
      ...way.filter((name) => times[name] !== null).map((name): Step => ({ name, state: 'done', at: times[name] })),
      { name: status, state: 'failed' },
    ]
  const current = way.indexOf(status === 'CALCULATING' ? 'CALCULATED' : status)
  return way.map((name, index) => {
    const isDone = index < current || status === 'CLOSED'
    const isReached = isDone || index === current
    return {
      name: index === current ? status : name,
      state: isDone ? 'done' : index === current ? 'current' : 'open',
      at: isReached ? times[name] : null,
    }
  })
}
