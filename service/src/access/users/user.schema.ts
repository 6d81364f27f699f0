import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { roles } from '../../platform/api/declare/roles.ts'

const closed = { additionalProperties: false }

export const UserPath = Type.Object({ userId: Uuid('The user.') })
export const TokenPath = Type.Object({
  userId: Uuid('The user.'),
  tokenId: Uuid('The personal access token.'),
})

/** Names are in mails: a line break, or a character that changes the direction of text, could forge a part of one. */
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
  description: 'What the user may do. Each role includes the permissions of the roles before it.',
  examples: ['operator'],
})

export const User = Type.Object(
  {
    id: Uuid('The user.'),
    name: Name,
    email: Type.String({ examples: ['grace@example.com'] }),
    role: RoleOf,
    created_at: Timestamp('When the user was invited.'),
    removed_at: orNull(Timestamp('When the user was removed.'), { examples: [null] }),
  },
  { ...closed, title: 'User' },
)

export const NewUser = Type.Object({ name: Name, email: Email, role: RoleOf }, { ...closed, title: 'NewUser' })

export const UserChange = Type.Object({ role: RoleOf }, { ...closed, title: 'UserChange' })

const tokenMembers = {
  id: Uuid('The personal access token.'),
  name: Text(1, 200, { description: 'What the token is for.', examples: ['My laptop'] }),
  created_at: Timestamp('When the token was created.'),
  expires_at: Timestamp('When the token expires.'),
  revoked_at: orNull(Timestamp('When the token was revoked.'), { examples: [null] }),
}

export const PersonalToken = Type.Object(tokenMembers, { ...closed, title: 'PersonalToken' })

export const PersonalTokenWithSecret = Type.Object(
  {
    ...tokenMembers,
    token: Type.String({
      description: 'Shown only in this response; the service stores only a hash.',
      examples: ['itp_shown-this-once'],
    }),
  },
  { ...closed, title: 'PersonalTokenWithSecret' },
)

export const tokenDaysMax = 366

export const NewPersonalToken = Type.Object(
  {
    name: tokenMembers.name,
    expires_in_days: Type.Integer({
      minimum: 1,
      maximum: tokenDaysMax,
      description: 'Number of days after which the token expires.',
      examples: [90],
    }),
  },
  { ...closed, title: 'NewPersonalToken' },
)
