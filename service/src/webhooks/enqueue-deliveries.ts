import { Type } from 'typebox'
import type { Transaction } from '../platform/db/transaction.ts'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import { type DeliveryLease, lockEndpoints, takeTurns, unblock } from './delivery-lease.sql.ts'
import type { EndpointKey } from './endpoint.sql.ts'

// One job serves an endpoint, and it is never given two: so one endpoint holds one place, however much waits for it.
// Endpoints that nothing gets through to are served in a lane of their own, with places of their own: a hundred of them
// that hang leave the places of the others alone.

const payload = Type.Object({ tenant_id: Type.String(), endpoint_id: Type.String(), turn: Type.String() })

export const deliverLane = { name: 'deliver-webhooks', payload } as const
export const failingLane = { name: 'deliver-webhooks-to-failing', payload } as const

/** A job for each endpoint that has none and something to send. Commits with what is to be sent. */
export async function queueTurns(tx: Transaction, tenantId: string, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return
  // Sent together, run one after the other.
  const [, turns] = await Promise.all([lockEndpoints(tx, tenantId, endpointIds), takeTurns(tx, tenantId, endpointIds)])
  await Promise.all(turns.map((turn) => queueTurn(tx, tenantId, turn)))
}

/** The same for a person who wants to see something now, also where an endpoint has failed. */
export async function queueTurnNow(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await unblock(tx, { tenantId, endpointId })
  await queueTurns(tx, tenantId, [endpointId])
}

export async function queueTurn(
  tx: Transaction,
  tenantId: string,
  { endpointId, turn, turnAt, failures }: DeliveryLease,
) {
  const lane = failures > 0 ? failingLane : deliverLane
  await enqueueJob(tx, lane, { tenant_id: tenantId, endpoint_id: endpointId, turn }, turnAt)
}
