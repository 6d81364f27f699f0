import { Type } from 'typebox'
import { orNull } from '../../platform/api/declare/fields.ts'
import { job } from '../../platform/jobs/job.ts'
import { quotedName } from '../../platform/mail/quoted-name.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { findTenantName } from '../tenants/tenant.sql.ts'
import { findUser } from '../users/user.sql.ts'
import { issueInvitation } from './issue-invitation.ts'

/**
 * Mails an invited person the one-time link with which they become the user. Creates the link only here, because a
 * job's payload is readable in the queue.
 */
export const mailInvitation = job({
  name: 'mail-invitation',
  payload: Type.Object({
    tenant_id: Type.String(),
    user_id: Type.String(),
    /** Null if the installation invited them. */
    invited_by: orNull(Type.String()),
  }),
  run: async (payload, { databases, mailer, secretPeppers, operatorUrl, clock }) => {
    const { tenant_id: tenantId, user_id: userId, invited_by: inviterId } = payload
    const found = await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
      const [invited, inviter, tenantName] = await tx.batch(
        (tx) => findUser(tx, { tenantId, userId }),
        (tx) => (inviterId === null ? undefined : findUser(tx, { tenantId, userId: inviterId })),
        (tx) => findTenantName(tx, tenantId),
      )
      // The user was removed, or has signed in, after the job was enqueued.
      if (!invited?.email || invited.identityId) return undefined
      const invitation = { tenantId, userId, kind: 'invitation', operatorUrl, now: clock() } as const
      const { link, expiresAt } = await issueInvitation(tx, secretPeppers, invitation)
      return { name: invited.name, email: invited.email, duties: invited.duties, inviter, tenantName, link, expiresAt }
    })
    if (!found) return
    const { name, email, duties, inviter, tenantName, link, expiresAt } = found
    await mailer.send({
      // Every link gets its own mail: a mail program that drops repeated mails must not drop a new link.
      about: link,
      to: { name, address: email },
      subject: 'You have been invited to run a tenant',
      text: [
        `You have been invited to run the tenant ${quotedName(tenantName ?? '')}.`,
        ...(inviter ? [`Invited by: ${quotedName(inviter.name)} (${inviter.email})`] : []),
        `Your duties: ${duties.map(({ duty }) => duty).join(', ')}`,
        '',
        'Open this link to sign in for the first time. It works once, for you alone: do not forward it.',
        link,
        '',
        `It expires at ${expiresAt.toISOString()}.`,
        '',
      ].join('\n'),
    })
  },
})
