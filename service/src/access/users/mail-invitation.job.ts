import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { job } from '../../platform/jobs/job.ts'
import { quotedName } from '../../platform/mail/quoted-name.ts'
import { findTenantName } from '../tenants/tenant.sql.ts'
import { findUser } from './user.sql.ts'

/** Mails a new user which tenant they were added to and by whom. */
export const mailInvitation = job({
  name: 'mail-invitation',
  payload: Type.Object({ tenant_id: Type.String(), user_id: Type.String(), invited_by: Type.String() }),
  run: async (payload, { databases, mailer }) => {
    const { tenant_id: tenantId, user_id: userId, invited_by: inviterId } = payload
    const [invited, inviter, tenantName] = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
      Promise.all([
        findUser(tx, { tenantId, userId }),
        findUser(tx, { tenantId, userId: inviterId }),
        findTenantName(tx, tenantId),
      ]),
    )
    // An admin removed the user after the job was enqueued.
    if (!invited?.email) return
    await mailer.send({
      id: createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32),
      to: { name: invited.name, address: invited.email },
      subject: 'You have been invited to run a tenant',
      text: [
        `You have been invited to run the tenant ${quotedName(tenantName ?? '')}.`,
        ...(inviter ? [`Invited by: ${quotedName(inviter.name)} (${inviter.email})`] : []),
        '',
        `Your duties: ${invited.duties.map(({ duty }) => duty).join(', ')}`,
        `User id:     ${invited.id}`,
        '',
        'You call the operator API with a personal access token. Those who run the installation issue your first one.',
        'It is shown only once: have it sent to you over a channel that only you can read.',
        '',
      ].join('\n'),
    })
  },
})
