import { Type } from 'typebox'
import { Named, orNull } from '../../platform/api/declare/fields.ts'

const closed = { additionalProperties: false }

const Whole = (minimum: number, maximum: number, description: string, example: number) =>
  Type.Integer({ minimum, maximum, description, examples: [example] })

const members = {
  approval_expiry_days: Whole(
    1,
    30,
    'How long a proposal about orders, money or tokens can be confirmed. Changes of users, credentials and policies ' +
      'always expire after seven days.',
    7,
  ),
  refund_hold_days: Whole(
    0,
    90,
    'How long a refund to bank data that have changed waits for a second person, if the payer is not known.',
    7,
  ),
  refund_name_similarity_percent: Whole(
    0,
    100,
    'How similar the holder of a bank account must be to the name of the investor, so that a refund needs no second ' +
      'person. 100: equal.',
    60,
  ),
  retention_years: Whole(
    1,
    30,
    'How long the personal data of an account is kept after its last order, payment or transfer.',
    10,
  ),
  time_zone: Type.String({
    pattern: '^[A-Za-z0-9_+/-]{1,50}$',
    'x-meaning': 'be the name of a time zone, such as Europe/Berlin',
    description: 'The time zone in which your users read times. The API itself always uses UTC.',
    examples: ['Europe/Berlin'],
  }),
  wallet_proof_url: orNull(
    Type.String({
      // A host that EIP-4361 accepts.
      pattern: '^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.){1,8}[a-z]{2,20}$',
      maxLength: 260,
      'x-meaning': 'be the address of a site, such as https://invest.example.com',
      description: 'The site that investors see in the message that they sign to prove a wallet.',
      examples: ['https://invest.example.com'],
    }),
    { description: 'Null: the site of the installation.' },
  ),
  mails_proposals: Type.Boolean({ description: 'Whether those who can confirm a proposal are mailed.' }),
  mails_disabled_endpoints: Type.Boolean({
    description: 'Whether a mail is sent when the service disables a webhook endpoint.',
  }),
}

export const TenantSettings = Named('TenantSettings', members)

export const TenantSettingsChange = Type.Partial(TenantSettings, {
  ...closed,
  title: 'TenantSettingsChange',
  minProperties: 1,
  'x-meaning': 'have at least one setting',
})
