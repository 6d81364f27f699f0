import { Type } from 'typebox'
import { duties } from '../../platform/api/declare/duties.ts'
import { job } from '../../platform/jobs/job.ts'
import { quotedName } from '../../platform/mail/quoted-name.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { findUser, selectDutyHolders } from '../users/user.sql.ts'

/** Mails everyone who can confirm a proposal, except its proposer. */
export const mailApproval = job({
  name: 'mail-approval',
  payload: Type.Object({
    tenant_id: Type.String(),
    approval_id: Type.String(),
    database: Type.Enum(['cell', 'directory'] as const),
    operation: Type.String(),
    duty: Type.Enum(duties),
    offering_id: Type.Union([Type.String(), Type.Null()]),
    proposed_by: Type.String(),
  }),
  run: async (payload, { databases, mailer, operatorUrl }) => {
    const { tenant_id: tenantId, duty, offering_id: offeringId, proposed_by: proposedBy } = payload
    const [holders, proposer] = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
      tx.batch(
        (tx) => selectDutyHolders(tx, { tenantId, duty, offeringId }),
        (tx) => findUser(tx, { tenantId, userId: proposedBy }),
      ),
    )
    for (const { id, name, email } of holders)
      if (id !== proposedBy && email)
        await mailer.send({
          about: [payload, id],
          to: { name, address: email },
          subject: 'A change waits for your confirmation',
          text: [
            `A change needs a second person with the duty ${duty}.`,
            ...(proposer ? [`Proposed by: ${quotedName(proposer.name)}`] : []),
            '',
            `Operation: ${payload.operation}`,
            '',
            'Look at it, and confirm or reject it before it expires:',
            `${operatorUrl}/console/approvals/${payload.database}/${payload.approval_id}`,
            '',
          ].join('\n'),
        })
  },
})
