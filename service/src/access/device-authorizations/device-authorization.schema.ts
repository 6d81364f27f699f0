import { Type } from 'typebox'
import { Named, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { Secret } from '../../platform/api/declare/masked.ts'

const device_name = Text(1, 100, {
  description: 'What the device calls itself. Shown to the person who confirms it, and part of the name of the token.',
  examples: ['investor-token on ada-laptop'],
})

export const NewDeviceAuthorization = Named('NewDeviceAuthorization', { device_name })

export const DeviceAuthorization = Named('DeviceAuthorization', {
  device_code: Type.String({
    description: 'Secret: it receives the token. Poll with it.',
    examples: ['itd_shown-this-once'],
  }),
  user_code: Type.String({ description: 'Show it to the person.', examples: ['WDJB-MJHT'] }),
  verification_uri: Type.String({
    description: 'The page on which the person types the code.',
    examples: ['https://operators.example.com/console/device'],
  }),
  expires_in: Type.Integer({ description: 'Seconds until both codes expire.', examples: [600] }),
  interval: Type.Integer({ description: 'Seconds to wait between two polls.', examples: [2] }),
})

export const DeviceCode = Named('DeviceCode', {
  device_code: Secret({ minLength: 1, maxLength: 200, examples: ['itd_shown-this-once'] }),
})

export const DeviceToken = Named('DeviceToken', {
  token: Type.String({
    description: 'A personal access token. Shown only in this response; the service stores only a hash.',
    examples: ['itp_shown-this-once'],
  }),
  token_id: Uuid('The token, to revoke it.'),
  tenant_id: Uuid('The tenant.'),
  user_id: Uuid('The user who confirmed the device.'),
  expires_at: Timestamp('When the token expires.'),
})

export const UserCode = Named('UserCode', {
  user_code: Secret({
    minLength: 1,
    maxLength: 20,
    description: 'The code that the device shows, in any case, with or without the dash.',
    examples: ['WDJB-MJHT'],
  }),
})

export const WaitingDevice = Named('WaitingDevice', {
  device_name,
  source_address: Type.String({ description: 'The address from which the device asked.', examples: ['203.0.113.7'] }),
  user_agent: Type.String({ description: 'The program that asked.', examples: ['investor-token/0.1.0'] }),
  created_at: Timestamp('When it asked.'),
  expires_at: Timestamp('Until when it can be confirmed.'),
})
