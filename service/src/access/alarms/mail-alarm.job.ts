import { Type } from 'typebox'
import { job } from '../../platform/jobs/job.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { selectDutyHolders } from '../users/user.sql.ts'
import { alarms, alarmTypes } from './alarm.ts'

/** Mails an alarm to everyone with the duty `settlement`. Waiting alarms of one type and offering share a mail. */
export const mailAlarm = job({
  name: 'mail-alarm',
  payload: Type.Object({
    tenant_id: Type.String(),
    type: Type.Enum(alarmTypes),
    offering_id: Type.Union([Type.String(), Type.Null()]),
    raised_at: Type.String(),
  }),
  keyOf: ({ type, offering_id: offeringId }) => `${type} ${offeringId}`,
  run: async (payload, { databases, mailer, operatorUrl }) => {
    const { tenant_id: tenantId, type, offering_id: offeringId, raised_at: raisedAt } = payload
    const { subject, meaning, remedy, page } = alarms[type]
    const holders = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
      selectDutyHolders(tx, { tenantId, duty: 'settlement', offeringId }),
    )
    for (const { id, name, email } of holders)
      if (email)
        await mailer.send({
          about: [payload, id],
          to: { name, address: email },
          subject,
          text: [
            meaning,
            remedy,
            '',
            `Noticed at: ${raisedAt}`,
            ...(offeringId ? [`Offering:   ${offeringId}`] : []),
            '',
            'There may be more than one:',
            `${operatorUrl}/console/${page}`,
            '',
          ].join('\n'),
        })
  },
})
