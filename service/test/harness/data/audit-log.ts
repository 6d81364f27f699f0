import type { TestInstallation } from '../installation/test-installation.ts'

/** Small, because each entry changes the head of the log, and a transaction reads past all its versions of it. */
const entriesPerTransaction = 500

/** Writes this many entries to the audit log of a tenant. */
export function fillAuditLog(installation: TestInstallation, tenantId: string, entries: number): Promise<void> {
  return installation.owner(async (client) => {
    for (let written = 0; written < entries; written += entriesPerTransaction) {
      await client.query('begin')
      await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
      await client.query(
        `select base.append_audit('system', null, null, null, null, 'test.entry', 'order', gen_random_uuid(), null,
                                  '{"a":1}')
         from generate_series(1, $1::int)`,
        [entriesPerTransaction],
      )
      await client.query('commit')
    }
  })
}
