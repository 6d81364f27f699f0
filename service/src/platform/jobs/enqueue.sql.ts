import type { Static, TObject } from 'typebox'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Job } from './job.ts'

/** Adds a job that exists if, and only if, this transaction commits. */
export async function enqueueJob<Payload extends TObject>(
  tx: Transaction,
  { name }: Pick<Job<Payload>, 'name' | 'payload'>,
  payload: Static<Payload> & { tenant_id: string },
  /** Not before this; otherwise now. */
  runAt: Date | null = null,
): Promise<void> {
  await tx.rows(sql`
    select from base.enqueue_job(${name}, ${JSON.stringify(payload)}::json, null, ${runAt}::timestamptz)`)
}
