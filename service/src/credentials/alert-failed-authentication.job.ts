import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { inDirectoryTransaction } from '../db/tenant-transaction.ts'
import { job } from '../jobs/job.ts'
import { findAdministrator } from '../tenants/tenant.sql.ts'

/** One mail to one administrator. One job each, so that a mail that fails does not send the others twice. */
export const alertFailedAuthentication = job({
  name: 'alert-failed-authentication',
  payload: Type.Object({
    tenant_id: Type.String(),
    administrator_id: Type.String(),
    credential_id: Type.String(),
    failed_at: Type.String(),
    source_address: Type.String(),
  }),
  run: async (payload, { databases, mailer }) => {
    const { tenant_id: tenantId, administrator_id: administratorId } = payload
    const administrator = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
      findAdministrator(tx, { tenantId, administratorId }),
    )
    // Removed since: there is nobody to tell.
    if (!administrator) return
    await mailer.send({
      id: createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32),
      to: { name: administrator.name, address: administrator.email },
      subject: 'Three failed sign-ins with an API credential',
      text: textOf(payload),
    })
  },
})

function textOf(failure: { credential_id: string; failed_at: string; source_address: string }): string {
  return [
    'Somebody has tried three times in a row to get an access token with a wrong secret.',
    '',
    `Credential:     ${failure.credential_id}`,
    `Last attempt:   ${failure.failed_at}`,
    `Source address: ${failure.source_address}`,
    '',
    'The credential still works. If this was one of your own systems, check its client_secret.',
    'If it was not, rotate the secret or disable the credential.',
    'You will not get another mail until the credential has been used successfully.',
    '',
  ].join('\n')
}
