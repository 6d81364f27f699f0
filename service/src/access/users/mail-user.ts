import type { Mailer } from '../../platform/mail/mailer.ts'
import { inDirectoryTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import { findUser } from './user.sql.ts'

/**
 * Sends one mail to one user. Callers enqueue one job per user, so a failed mail does not send the others twice. The
 * Message-ID is derived from the payload and stays the same when the worker retries the job.
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
  // The user was removed after the job was enqueued, or is a service user.
  if (!user?.email) return
  await mailer.send({
    about: payload,
    to: { name: user.name, address: user.email },
    subject,
    text: [...lines, ''].join('\n'),
  })
}
