import { createHash } from 'node:crypto'
import { inDirectoryTransaction, type TenantDatabases } from '../../platform/db/tenant-transaction.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { findUser } from './tenant.sql.ts'

/**
 * One mail to one user. A job for each of them, so that a mail that fails does not send the others twice; the
 * same payload has the same Message-ID, however often the job is run.
 */
export async function mailUser(
  { databases, mailer }: Pick<TenantDatabases, 'databases'> & { mailer: Mailer },
  payload: { tenant_id: string; user_id: string },
  { subject, lines }: { subject: string; lines: string[] },
): Promise<void> {
  const { tenant_id: tenantId, user_id: userId } = payload
  const user = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
    findUser(tx, { tenantId, userId }),
  )
  // Removed since: there is nobody to tell.
  if (!user) return
  await mailer.send({
    id: createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32),
    to: { name: user.name, address: user.email },
    subject,
    text: [...lines, ''].join('\n'),
  })
}
