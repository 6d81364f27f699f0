import { sql } from '../platform/db/sql.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import type { EndpointKey } from './endpoint.sql.ts'

export interface DeliveryLease {
  endpointId: string
  turn: string
  turnAt: Date
  failures: number
}

/** Before their turns are looked at, in a statement of its own, so that the next one sees what came of a wait here. */
export async function lockEndpoints(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.rows(sql`
    select from cell.webhook_endpoint where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
    order by id for no key update`)
}

/**
 * Of endpoints that are held and have something to send: those that no job will look after in time get a new turn. One
 * that has a job already is left to it: it looks again before it ends, and waits for us to do so. A job that is long
 * overdue is taken for lost.
 */
export function takeTurns(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<DeliveryLease[]> {
  return tx.rows<DeliveryLease>(sql`
    update cell.webhook_endpoint
    set turn = turn + 1, is_served = true, turn_at = greatest(now(), blocked_until)
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and disabled_at is null
      and (not is_served or turn_at > greatest(now(), blocked_until) or turn_at < now() - ${lostAfter}::interval)
    returning id as "endpointId", turn, turn_at as "turnAt", failures`)
}

/** Nobody waits any more, whatever happened before: a person has asked. */
export async function unblock(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint set blocked_until = null where tenant_id = ${tenantId} and id = ${endpointId}`)
}

/** The job is still at work. */
export async function keepTurn(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint set turn_at = now() where tenant_id = ${tenantId} and id = ${endpointId}`)
}

/** The job ends: there is nothing to send, or there will be at a time for which another one is needed. */
export function endTurn(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<DeliveryLease | undefined> {
  return tx.row<DeliveryLease>(sql`
    with next as (
      select min(due_at) as due_at from cell.webhook_delivery
      where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and state = 'PENDING'
    ), ended as (
      update cell.webhook_endpoint
      set is_served = next.due_at is not null, turn = turn + 1,
          turn_at = greatest(now(), next.due_at, webhook_endpoint.blocked_until)
      from next
      where tenant_id = ${tenantId} and id = ${endpointId}
      returning id as "endpointId", turn, turn_at as "turnAt", failures, is_served
    )
    select "endpointId", turn, "turnAt", failures from ended where is_served`)
}

export const lostAfter = '5 minutes'
