import type { TestInstallation } from '../installation/test-installation.ts'

export interface RecordedEvent {
  type: string
  data: Record<string, unknown>
}

/** Returns all events of a tenant for integrators, in order, even those without a sequence number. */
export async function recordedEvents(installation: TestInstallation, tenantId: string): Promise<RecordedEvent[]> {
  const rows = await installation.rows<RecordedEvent>(
    `select type, data from (
         select sequence, 0::bigint as insertion, type, data from cell.event
         where tenant_id = $1 and scope is distinct from 'operator'
         union all
         select null, insertion, type, data from cell.event_outbox
         where tenant_id = $1 and scope is distinct from 'operator'
       ) recorded order by sequence nulls last, insertion`,
    [tenantId],
  )
  return rows
}

export interface RecordedChange {
  action: string
  actor_type: string
  actor_id: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read recorded values without types
  before: any
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read recorded values without types
  after: any
}

/** Returns the audit entries of a subject, oldest first. */
export async function recordedChanges(installation: TestInstallation, subjectId: string): Promise<RecordedChange[]> {
  const rows = await installation.rows<RecordedChange>(
    `select action, actor_type, actor_id, before, after from base.audit_log where subject_id = $1 order by sequence`,
    [subjectId],
  )
  return rows
}

/** Counts the requested checks of an account's orders that no worker has run yet: one job, with one revision each. */
export async function mintPreconditionChecks(installation: TestInstallation, accountId: string): Promise<number> {
  const rows = await installation.rows<{ count: number }>(
    `select coalesce(sum(revision + 1), 0)::int as count from graphile_worker._private_jobs jobs
       join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
       where tasks.identifier = 'check-mint-preconditions' and jobs.payload ->> 'account_id' = $1`,
    [accountId],
  )
  return rows[0]?.count ?? 0
}
