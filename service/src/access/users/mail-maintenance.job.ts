import { Type } from 'typebox'
import { job } from '../../platform/jobs/job.ts'
import { quotedName } from '../../platform/mail/quoted-name.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { mailUser } from './mail-user.ts'
import { findUser } from './user.sql.ts'

const events = ['user added', 'emergency link created', 'passkeys removed'] as const
export type MaintenanceEvent = (typeof events)[number]

/** Notifies a user with the duty `team` that the installation's administrators changed a user of the tenant. */
export const mailMaintenance = job({
  name: 'mail-maintenance',
  payload: Type.Object({
    tenant_id: Type.String(),
    user_id: Type.String(),
    event: Type.Enum(events),
    /** The affected user. */
    about: Type.String(),
  }),
  run: async (payload, context) => {
    const { tenant_id: tenantId, about, event } = payload
    const user = await inDirectoryTransaction(context.databases, { tenantId, access: 'read' }, (tx) =>
      findUser(tx, { tenantId, userId: about }),
    )
    const name = quotedName(user?.name ?? about)
    const [subject, ...lines] = textsOf[event](name)
    await mailUser(context, payload, {
      subject,
      lines: [...lines, '', 'If you did not expect this, contact them at once. The audit log records it.'],
    })
  },
})

const textsOf: Record<MaintenanceEvent, (name: string) => [subject: string, ...lines: string[]]> = {
  'user added': (name) => [
    'A user was added by the installation',
    `The people who run the installation invited ${name} to your tenant.`,
  ],
  'emergency link created': (name) => [
    'An emergency sign-in was prepared',
    `The people who run the installation created an emergency link for ${name}.`,
    'Its session cannot confirm anything for 24 hours.',
  ],
  'passkeys removed': (name) => [
    'The passkeys of a user were removed',
    `The people who run the installation removed all passkeys of ${name}, who can register a new one after signing in.`,
  ],
}
