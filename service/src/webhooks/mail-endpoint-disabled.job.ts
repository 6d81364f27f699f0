import { Type } from 'typebox'
import { mailUser } from '../access/tenants/mail-user.ts'
import { job } from '../platform/jobs/job.ts'

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
        payload.reason === 'GONE'
          ? 'A webhook endpoint has answered 410 Gone, which asks us to send nothing more.'
          : 'Nothing has got through to a webhook endpoint for five days.',
        '',
        `Endpoint:    ${payload.endpoint_id}`,
        `Disabled at: ${payload.disabled_at}`,
        '',
        'It receives nothing any more. Its deliveries show what came of the last attempts.',
        'Once it works again, enable it, and send again what it has missed: events are kept for 30 days.',
      ],
    }),
})
