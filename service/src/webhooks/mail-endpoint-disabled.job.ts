import { Type } from 'typebox'
import { mailUser } from '../access/users/mail-user.ts'
import { job } from '../platform/jobs/job.ts'

const causes: Record<string, string> = {
  GONE: 'A webhook endpoint responded with 410 Gone, which means that it no longer accepts messages.',
  UNVERIFIED: 'A webhook endpoint did not respond with the challenge of its verification within an hour.',
}

export const mailEndpointDisabled = job({
  name: 'mail-webhook-endpoint-disabled',
  payload: Type.Object({
    tenant_id: Type.String(),
    user_id: Type.String(),
    endpoint_id: Type.String(),
    disabled_at: Type.String(),
    reason: Type.String(),
  }),
  run: (payload, context) =>
    mailUser(context, payload, {
      subject: 'A webhook endpoint has been disabled',
      lines: [
        causes[payload.reason] ?? 'No message reached a webhook endpoint for five days.',
        '',
        `Endpoint:    ${payload.endpoint_id}`,
        `Disabled at: ${payload.disabled_at}`,
        '',
        'It receives no more messages. Its deliveries show the results of the last attempts.',
        'Once it works again, enable it and resend the events it missed. Events are kept for 30 days.',
      ],
    }),
})
