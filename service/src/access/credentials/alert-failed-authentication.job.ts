import { Type } from 'typebox'
import { job } from '../../platform/jobs/job.ts'
import { mailUser } from '../users/mail-user.ts'

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
        'Three requests in a row for an access token had a wrong secret.',
        '',
        `Credential:     ${payload.credential_id}`,
        `Last attempt:   ${payload.failed_at}`,
        `Source address: ${payload.source_address}`,
        '',
        'The credential still works. If one of your systems sent the requests, check its client_secret.',
        'Otherwise rotate the secret or disable the credential.',
        'You receive no further mail until the credential has been used successfully.',
      ],
    }),
})
