import type { TestInstallation } from '../installation/test-installation.ts'

/** Returns the types of the alarms whose mails wait for a worker, oldest first. */
export async function waitingAlarms(installation: TestInstallation, tenantId: string): Promise<string[]> {
  const rows = await installation.rows<{ type: string }>(
    `select payload ->> 'type' as type from graphile_worker._private_jobs job
       join graphile_worker._private_tasks task on task.id = job.task_id
       where task.identifier = 'mail-alarm' and payload ->> 'tenant_id' = $1 order by job.id`,
    [tenantId],
  )
  return rows.map(({ type }) => type)
}
