import { operation } from '../platform/api/declare/operation.ts'
import { DeadlineSimulation, SimulatedDeadlines } from './simulation.schema.ts'
import { advanceDeadlines } from './simulation.sql.ts'
import { simulationHeader } from './simulation-header.ts'

export const expireDeadlines = operation(
  {
    id: 'expireDeadlines',
    summary: 'Expire deadlines',
    description:
      'Moves every open deadline of your tenant `advance_seconds` earlier: payment deadlines of orders and ' +
      'challenges of wallets. Workers process those that have passed within a second or two. Development only.',
    ...simulationHeader,
    path: '/simulations/expire-deadlines',
    idempotency: 'optional',
    body: DeadlineSimulation,
    success: { status: 200, body: SimulatedDeadlines },
    errors: [],
  },
  async ({ body: { advance_seconds: seconds } }, { tenantId, tx, now }) => {
    const { orders, wallets } = await advanceDeadlines(tx, tenantId, seconds)
    return { advanced_seconds: seconds, orders, wallets, checked_at: now.toISOString() }
  },
)
