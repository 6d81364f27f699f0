import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { scopes } from '../../platform/api/declare/scopes.ts'
import { versionNames } from '../../platform/api/server/versions.ts'

const exampleClientId = '0d9ad80b-9acb-4d8c-b1e6-21e79a0b7f99'

/** Unknown members are ignored here, and only here: OAuth clients send a grant_type out of habit. */
export const AuthRequest = Type.Object(
  {
    client_id: Type.String({ minLength: 1, description: 'The id of the credential.', examples: [exampleClientId] }),
    client_secret: Type.String({
      minLength: 1,
      description: 'One of the live secrets of the credential.',
      examples: ['its_your-client-secret'],
    }),
    scopes: Type.Array(Type.Enum(scopes), {
      minItems: 1,
      description: 'What the token shall be allowed to do. All of it must be granted to the credential.',
      examples: [['offering.read', 'order.create', 'order.read']],
    }),
    api_version: Type.Optional(
      Type.Enum(versionNames, { description: 'The version of the contract. Default: that of the credential.' }),
    ),
  },
  { title: 'AuthRequest' },
)

export const AuthResponse = Type.Object(
  {
    access_token: Type.String({ description: 'An HS256 JWT.', examples: ['eyJhbGciOiJIUzI1NiJ9.claims.signature'] }),
    token_type: Type.Literal('Bearer'),
    expires_at: Timestamp('When the token ends, 600 seconds after its issue.'),
  },
  { additionalProperties: false, title: 'AuthResponse' },
)

const closed = { additionalProperties: false }

export const CredentialPath = Type.Object({ clientId: Uuid('The credential.') })

const Name = Text(1, 200, { description: 'What it is for.', examples: ['Order desk'] })
const Scopes = Type.Array(Type.Enum(scopes), {
  minItems: 1,
  uniqueItems: true,
  description: 'What its tokens may be allowed to do.',
  examples: [['offering.read', 'order.create', 'order.read']],
})
const RequestsPerMinute = Type.Integer({
  minimum: 1,
  maximum: 60_000,
  default: 30,
  description: 'How many requests it may send in any 60 seconds.',
})
const DefaultVersion = Type.Enum(versionNames, {
  description: 'The version of the contract where POST /auth names none. Null: the one that all have.',
})

const credentialMembers = {
  client_id: Uuid('The credential.'),
  name: Name,
  scopes: Scopes,
  requests_per_minute: RequestsPerMinute,
  default_version: orNull(DefaultVersion),
  created_at: Timestamp('When it was issued.'),
  disabled_at: orNull(Timestamp('Since when it is refused.'), { examples: [null] }),
  old_secret_ends_at: orNull(Timestamp('How long the secret before the newest one still works.'), { examples: [null] }),
}

export const Credential = Type.Object(credentialMembers, { ...closed, title: 'Credential' })

export const CredentialWithSecret = Type.Object(
  {
    ...credentialMembers,
    client_secret: Type.String({
      description: 'Shown this once and stored nowhere.',
      examples: ['its_shown-this-once'],
    }),
  },
  { ...closed, title: 'CredentialWithSecret' },
)

export const NewCredential = Type.Object(
  {
    name: Name,
    scopes: Scopes,
    requests_per_minute: Type.Optional(RequestsPerMinute),
    default_version: Type.Optional(orNull(DefaultVersion)),
  },
  { ...closed, title: 'NewCredential' },
)

export const CredentialChange = Type.Object(
  {
    name: Type.Optional(Name),
    scopes: Type.Optional(Scopes),
    requests_per_minute: Type.Optional(RequestsPerMinute),
  },
  { ...closed, title: 'CredentialChange' },
)

const overlapHoursMax = 720
export const overlapHoursUsual = 24

export const CredentialRotation = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: overlapHoursMax,
        default: overlapHoursUsual,
        description: 'How long the old secret goes on working; 0 ends it and its tokens at once.',
      }),
    ),
  },
  { ...closed, title: 'CredentialRotation' },
)
