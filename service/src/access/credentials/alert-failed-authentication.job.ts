import { Type } from 'typebox'
import { job } from '../../platform/jobs/job.ts'
import { mailUser } from '../tenants/mail-user.ts'

export const alertFailedAuthentication = job({
  name: 'alert-failed-authentication',
  payload: Type.Object({
    tenant_id: Type.String(),
    user_id: Type.String(),
    credential_id: Type.String(),
    failed_at: Type.String(),
    source_address: Type.String(),
  }),
  run: (payload, context) =>
    mailUser(context, payload, {
      subject: 'Three failed sign-ins with an API credential',
      lines: [
        'Somebody has tried three times in a row to get an access token with a wrong secret.',
        '',
        `Credential:     ${payload.credential_id}`,
        `Last attempt:   ${payload.failed_at}`,
        `Source address: ${payload.source_address}`,
        '',
        'The credential still works. If this was one of your own systems, check its client_secret.',
        'If it was not, rotate the secret or disable the credential.',
        'You will not get another mail until the credential has been used successfully.',
      ],
    }),
})
