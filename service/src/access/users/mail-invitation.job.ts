import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { job } from '../../platform/jobs/job.ts'
import { findTenantName } from '../tenants/tenant.sql.ts'
import { findPresentUser } from './user.sql.ts'

/** Tells somebody that they may run a tenant from now on, and who says so. */
export const mailInvitation = job({
  name: 'mail-invitation',
  payload: Type.Object({ tenant_id: Type.String(), user_id: Type.String(), invited_by: Type.String() }),
  run: async (payload, { databases, mailer }) => {
    const { tenant_id: tenantId, user_id: userId, invited_by: inviterId } = payload
    const [invited, inviter, tenantName] = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
      Promise.all([
        findPresentUser(tx, { tenantId, userId }),
        findPresentUser(tx, { tenantId, userId: inviterId }),
        findTenantName(tx, tenantId),
      ]),
    )
    // Removed since: there is nobody to tell.
    if (!invited) return
    await mailer.send({
      id: createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32),
      to: { name: invited.name, address: invited.email },
      subject: 'You have been invited to run a tenant',
      text: [
        `${inviter ? `${inviter.name} (${inviter.email})` : 'An user'} has invited you to run ${tenantName}.`,
        '',
        `Your role:        ${invited.role}`,
        `User id: ${invited.id}`,
        '',
        'You call the operator API with a personal access token. Ask who invited you to make one for you;',
        'it is shown once, so let it be given to you on a way that nobody else reads.',
        '',
      ].join('\n'),
    })
  },
})
