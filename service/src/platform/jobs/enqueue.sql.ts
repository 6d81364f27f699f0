import type { Static, TObject } from 'typebox'
import { sql } from '../postgres/sql.ts'
import type { Transaction } from '../postgres/transaction.ts'
import type { Job } from './job.ts'
import { currentTraceParent } from './job-trace.ts'

/** Enqueues a job. It commits or rolls back with this transaction. */
export async function enqueueJob<Payload extends TObject>(
  tx: Transaction,
  { name, keyOf }: Pick<Job<Payload>, 'name' | 'payload' | 'keyOf'>,
  payload: Static<Payload> & { tenant_id: string },
  /** The earliest time at which a worker runs the job; null for as soon as possible. */
  runAt: Date | null = null,
): Promise<void> {
  const key = keyOf?.(payload as never) ?? null
  const traced = { ...payload, traceparent: currentTraceParent() }
  tx.later(sql`
    select from base.enqueue_job(${name}, ${JSON.stringify(traced)}::json, ${key}, ${runAt}::timestamptz)`)
}
