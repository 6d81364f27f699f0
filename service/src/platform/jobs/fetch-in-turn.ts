import type { WorkerEvents } from 'graphile-worker'
import type { TenantSlots } from '../base/tenant-slots.ts'

/**
 * Returns the function that the queue calls before it fetches a job for one of its slots. It returns the tenants to
 * skip because they occupy all slots that a tenant may have; base.enqueue_job flags each job with its tenant. Slots
 * fetch one after the other: two that fetched at once would miss each other's job, and could exceed the limit.
 */
export function fetchInTurn(events: WorkerEvents, slots: TenantSlots): () => Promise<string[]> {
  let turn: Promise<void> = Promise.resolve()
  let endTurn = () => {}
  // A fetched job takes its slot in the same tick as its event, before the next fetch can begin.
  for (const event of ['job:start', 'worker:getJob:empty', 'worker:getJob:error'] as const)
    events.on(event, () => endTurn())
  return async () => {
    const previous = turn
    const own = Promise.withResolvers<void>()
    turn = own.promise
    await previous
    endTurn = own.resolve
    return slots.fullTenants()
  }
}
