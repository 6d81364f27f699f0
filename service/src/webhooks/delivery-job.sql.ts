import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { isSendable } from './delivery.sql.ts'
import { type EndpointKey, type EndpointRow, isEndpoint, isOfEndpoint } from './endpoint.sql.ts'

/** The delivery job of an endpoint. See delivery.ts. */
export interface DeliveryJob extends Pick<EndpointRow, 'jobNumber' | 'jobDueAt' | 'failures'> {
  endpointId: string
}

const jobColumns = sql`id as "endpointId", job_number as "jobNumber", job_due_at as "jobDueAt", failures`

/** Locks in a statement of its own, so that `assignDeliveryJobs` sees what the previous lock owner committed. */
export async function lockEndpoints(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.rows(sql`
    select from cell.webhook_endpoint where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
    order by id for no key update`)
}

/**
 * Assigns a new job to each of these locked endpoints that has none, whose job is due later than now, or whose job is
 * lost. Other endpoints keep their job: it locks the endpoint and checks for due deliveries before it finishes, so it
 * sees what this transaction commits. Compares with the clock: after waiting for the lock, now() is earlier than the
 * due time of a job that the previous lock owner has just enqueued.
 */
export function assignDeliveryJobs(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<DeliveryJob[]> {
  return tx.rows<DeliveryJob>(sql`
    update cell.webhook_endpoint
    set job_number = job_number + 1, has_job = true, job_due_at = greatest(now(), backoff_until)
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and disabled_at is null
      and (not has_job or job_due_at > greatest(clock_timestamp(), backoff_until)
           or job_due_at < now() - ${jobLostAfter}::interval)
    returning ${jobColumns}`)
}

/** Ends the backoff: an operator has requested a delivery now. */
export async function clearBackoff(tx: Transaction, key: EndpointKey): Promise<void> {
  await tx.rows(sql`update cell.webhook_endpoint set backoff_until = null where ${isEndpoint(key)}`)
}

/** Renews a running job: its heartbeat. */
export async function renewDeliveryJob(tx: Transaction, key: EndpointKey): Promise<void> {
  await tx.rows(sql`update cell.webhook_endpoint set job_due_at = now() where ${isEndpoint(key)}`)
}

/** Ends the current job. Returns the next one if deliveries that may be sent are still pending. */
export function finishDeliveryJob(tx: Transaction, key: EndpointKey): Promise<DeliveryJob | undefined> {
  return tx.row<DeliveryJob>(sql`
    with next as (
      select min(due_at) as due_at from cell.webhook_delivery
      where ${isOfEndpoint(key)} and state = 'PENDING' and ${isSendable(key)}
    ), finished as (
      update cell.webhook_endpoint
      set has_job = next.due_at is not null, job_number = job_number + 1,
          job_due_at = greatest(now(), next.due_at, webhook_endpoint.backoff_until)
      from next
      where ${isEndpoint(key)}
      returning ${jobColumns}, has_job
    )
    select "endpointId", "jobNumber", "jobDueAt", failures from finished where has_job`)
}

/** Returns the job that replaces this one, or undefined if a newer job owns the endpoint. */
export function postponeDeliveryJob(
  tx: Transaction,
  { jobNumber, ...key }: EndpointKey & Pick<EndpointRow, 'jobNumber'>,
  seconds: number,
): Promise<DeliveryJob | undefined> {
  return tx.row<DeliveryJob>(sql`
    update cell.webhook_endpoint
    set job_number = job_number + 1, job_due_at = now() + make_interval(secs => ${seconds}::float8)
    where ${isEndpoint(key)} and job_number = ${jobNumber}::bigint and disabled_at is null
    returning ${jobColumns}`)
}

/** A job this long overdue is lost. Running jobs renew their due time with every batch, which takes seconds. */
export const jobLostAfter = '5 minutes'
