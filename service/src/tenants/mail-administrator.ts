import { createHash } from 'node:crypto'
import { inDirectoryTransaction, type TenantDatabases } from '../db/tenant-transaction.ts'
import type { Mailer } from '../mail/mailer.ts'
import { findAdministrator } from './tenant.sql.ts'

/**
 * One mail to one administrator. A job for each of them, so that a mail that fails does not send the others twice; the
 * same payload has the same Message-ID, however often the job is run.
 */
export async function mailAdministrator(
  { databases, mailer }: Pick<TenantDatabases, 'databases'> & { mailer: Mailer },
  payload: { tenant_id: string; administrator_id: string },
  { subject, lines }: { subject: string; lines: string[] },
): Promise<void> {
  const { tenant_id: tenantId, administrator_id: administratorId } = payload
  const administrator = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
    findAdministrator(tx, { tenantId, administratorId }),
  )
  // Removed since: there is nobody to tell.
  if (!administrator) return
  await mailer.send({
    id: createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32),
    to: { name: administrator.name, address: administrator.email },
    subject,
    text: [...lines, ''].join('\n'),
  })
}
