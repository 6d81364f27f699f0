import { Type } from 'typebox'
import { duties, roles } from '../../platform/api/declare/duties.ts'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const UserPath = Type.Object({ userId: Uuid('The user.') })
export const TokenPath = Type.Object({
  userId: Uuid('The user.'),
  tokenId: Uuid('The personal access token.'),
})

/** Names appear in mails, where a line break or a character that changes the direction of text could forge a part. */
export const namePattern = '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069]*$'

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: namePattern,
  'x-meaning': 'not contain line breaks or other control characters',
  description: 'Name of the person.',
  examples: ['Grace Hopper'],
})
const Email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'The address for mails to the user.',
  examples: ['grace@example.com'],
})
const RoleOf = Type.Enum(roles, {
  description: 'A named set of duties, instead of `duties`.',
  examples: ['operator'],
})

const DutyGrant = Named('DutyGrant', {
  duty: Type.Enum(duties, { description: 'What the user may do.', examples: ['money'] }),
  offering_ids: Type.Optional(
    orNull(
      Type.Array(Uuid('The offering.'), {
        minItems: 1,
        maxItems: 1000,
        description:
          'The offerings that the duty is limited to; null or absent for all. Only `offerings`, `settlement` and ' +
          '`token` can be limited. A limited duty permits nothing that concerns no single offering, such as ' +
          'drafting one.',
      }),
      { examples: [null] },
    ),
  ),
})
export const DutyGrants = Type.Array(DutyGrant, {
  maxItems: duties.length,
  description: 'What the user may do, instead of `role`.',
})

export const User = Named('User', {
  id: Uuid('The user.'),
  name: Name,
  kind: Type.Enum(['person', 'service'] as const, {
    description: 'A person signs in; a service user only has tokens and can never confirm anything.',
  }),
  email: orNull(Type.String({ description: 'Null for a service user.', examples: ['grace@example.com'] })),
  duties: Type.Array(DutyGrant, { maxItems: duties.length }),
  has_signed_in: Type.Boolean({ description: 'Whether the person has accepted the invitation.' }),
  invited_by: orNull(Uuid('The user who invited this one; null if the installation did.'), { examples: [null] }),
  created_at: Timestamp('When the user was invited.'),
  removed_at: orNull(Timestamp('When the user was removed.'), { examples: [null] }),
})

export const NewUser = Named('NewUser', {
  name: Name,
  email: Email,
  role: Type.Optional(RoleOf),
  duties: Type.Optional(DutyGrants),
})

export const NewServiceUser = Named('NewServiceUser', {
  name: Type.String({ ...Name, description: 'What the service user is for.', examples: ['Statement import'] }),
  duties: DutyGrants,
})

export const UserChange = Named('UserChange', { role: Type.Optional(RoleOf), duties: Type.Optional(DutyGrants) })

const tokenMembers = {
  id: Uuid('The personal access token.'),
  name: Text(1, 200, { description: 'What the token is for.', examples: ['My laptop'] }),
  created_at: Timestamp('When the token was created.'),
  expires_at: Timestamp('When the token expires.'),
  last_used_at: orNull(Timestamp('When the token was last used, to the minute.'), { examples: [null] }),
  revoked_at: orNull(Timestamp('When the token was revoked.'), { examples: [null] }),
}

export const PersonalToken = Named('PersonalToken', tokenMembers)

export const PersonalTokenWithSecret = Named('PersonalTokenWithSecret', {
  ...tokenMembers,
  token: Type.String({
    description: 'Shown only in this response; the service stores only a hash.',
    examples: ['itp_shown-this-once'],
  }),
})

export const tokenDaysMax = 366

export const NewPersonalToken = Named('NewPersonalToken', {
  name: tokenMembers.name,
  expires_in_days: Type.Integer({
    minimum: 1,
    maximum: tokenDaysMax,
    description: 'Number of days after which the token expires.',
    examples: [90],
  }),
})
