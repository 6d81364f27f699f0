import { operation } from '../platform/api/declare/operation.ts'
import { AdvancedClock, ClockSimulation } from './simulation.schema.ts'
import { bringDeadlinesNearer } from './simulation.sql.ts'
import { simulationScopes, simulationTag } from './simulation-header.ts'

export const expireDeadlines = operation(
  {
    id: 'advanceClock',
    summary: 'Advance the clock that deadlines are read by',
    description:
      'Every deadline that your tenant waits for now comes so much nearer: payments that are due, wallets to be ' +
      'proven. Workers act on what has passed within a second or two, as on any other day. Development only.',
    tag: simulationTag,
    method: 'POST',
    path: '/simulations/clock',
    scopes: simulationScopes,
    idempotency: 'optional',
    body: ClockSimulation,
    success: { status: 200, body: AdvancedClock },
    errors: [],
    isExtension: true,
  },
  async ({ body: { advance_seconds: seconds } }, { tenantId, tx, now }) => {
    const { orders, wallets } = await bringDeadlinesNearer(tx, tenantId, seconds)
    return { advanced_seconds: seconds, orders, wallets, checked_at: now.toISOString() }
  },
)
