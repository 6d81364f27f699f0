import type { TestInstallation } from './service.ts'

export interface RecordedEvent {
  type: string
  data: Record<string, unknown>
}

/** Everything that was told of a tenant, in its order, whether it has its number already or not. */
export async function recordedEvents(installation: TestInstallation, tenantId: string): Promise<RecordedEvent[]> {
  const { rows } = await installation.owner((client) =>
    client.query<RecordedEvent>(
      `select type, data from (
         select sequence, 0::bigint as insertion, type, data from cell.event where tenant_id = $1
         union all
         select null, insertion, type, data from cell.event_outbox where tenant_id = $1
       ) told order by sequence nulls last, insertion`,
      [tenantId],
    ),
  )
  return rows
}

export interface RecordedChange {
  action: string
  actor_type: string
  actor_id: string
  before: unknown
  after: unknown
}

/** What the audit log says was done to something, oldest first. */
export async function recordedChanges(installation: TestInstallation, subjectId: string): Promise<RecordedChange[]> {
  const { rows } = await installation.owner((client) =>
    client.query<RecordedChange>(
      `select action, actor_type, actor_id, before, after from base.audit_log where subject_id = $1 order by sequence`,
      [subjectId],
    ),
  )
  return rows
}

/** How often the orders of an account were asked whether they can advance, and nobody has answered yet. */
export async function gateChecks(installation: TestInstallation, accountId: string): Promise<number> {
  const { rows } = await installation.owner((client) =>
    client.query<{ count: number }>(
      `select count(*)::int from graphile_worker._private_jobs jobs
       join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
       where tasks.identifier = 'check-gates' and jobs.payload ->> 'account_id' = $1`,
      [accountId],
    ),
  )
  return rows[0]?.count ?? 0
}
