import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { duties } from '../../platform/api/declare/duties.ts'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { job } from '../../platform/jobs/job.ts'
import { quotedName } from '../../platform/mail/quoted-name.ts'
import { findUser, selectDutyHolders } from '../users/user.sql.ts'

/** Mails everyone who can confirm a proposal, except its proposer. */
export const mailApproval = job({
  name: 'mail-approval',
  payload: Type.Object({
    tenant_id: Type.String(),
    approval_id: Type.String(),
    operation: Type.String(),
    duty: Type.Enum(duties),
    proposed_by: Type.String(),
  }),
  run: async (payload, { databases, mailer }) => {
    const { tenant_id: tenantId, duty, proposed_by: proposedBy } = payload
    const [holders, proposer] = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
      Promise.all([selectDutyHolders(tx, { tenantId, duty }), findUser(tx, { tenantId, userId: proposedBy })]),
    )
    for (const { id, name, email } of holders)
      if (id !== proposedBy && email)
        await mailer.send({
          id: createHash('sha256')
            .update(JSON.stringify([payload, id]))
            .digest('hex')
            .slice(0, 32),
          to: { name, address: email },
          subject: 'A change waits for your confirmation',
          text: [
            `A change needs a second person with the duty ${duty}.`,
            ...(proposer ? [`Proposed by: ${quotedName(proposer.name)}`] : []),
            '',
            `Operation: ${payload.operation}`,
            `Approval:  ${payload.approval_id}`,
            '',
            'Sign in to look at it, and confirm or reject it. It expires after seven days.',
            '',
          ].join('\n'),
        })
  },
})
