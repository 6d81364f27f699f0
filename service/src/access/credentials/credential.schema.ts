import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { Secret } from '../../platform/api/declare/masked.ts'
import { scopes } from '../../platform/api/declare/scopes.ts'
import { versionNames } from '../../platform/base/contract-versions.ts'

const exampleClientId = '0d9ad80b-9acb-4d8c-b1e6-21e79a0b7f99'

/** Accepts unknown members, because OAuth clients usually send a grant_type. */
export const AuthRequest = Type.Object(
  {
    client_id: Type.String({ minLength: 1, description: 'The id of the credential.', examples: [exampleClientId] }),
    client_secret: Secret({
      minLength: 1,
      description: 'One of the live secrets of the credential.',
      examples: ['its_your-client-secret'],
    }),
    scopes: Type.Array(Type.Enum(scopes), {
      minItems: 1,
      description: 'The scopes of the token. The credential must be granted all of them.',
      examples: [['offering.read', 'order.create', 'order.read']],
    }),
    api_version: Type.Optional(
      Type.Enum(versionNames, {
        description: 'The version of the API. Defaults to the default version of the credential.',
      }),
    ),
  },
  { title: 'AuthRequest' },
)

export const AuthResponse = Named('AuthResponse', {
  access_token: Type.String({ description: 'An HS256 JWT.', examples: ['eyJhbGciOiJIUzI1NiJ9.claims.signature'] }),
  token_type: Type.Literal('Bearer'),
  expires_at: Timestamp('When the token expires: 600 seconds after it was issued.'),
})

export const CredentialPath = Type.Object({ clientId: Uuid('The credential.') })

const Name = Text(1, 200, { description: 'What the credential is for.', examples: ['Order desk'] })
const Scopes = Type.Array(Type.Enum(scopes), {
  minItems: 1,
  uniqueItems: true,
  description: 'The scopes that its tokens may have.',
  examples: [['offering.read', 'order.create', 'order.read']],
})
const RequestsPerMinute = Type.Integer({
  minimum: 1,
  maximum: 60_000,
  default: 30,
  description: 'The maximum number of requests in any 60 seconds.',
})
const DefaultVersion = Type.Enum(versionNames, {
  description: 'The version of the API if POST /auth does not name one. Null for the default of the environment.',
})

const credentialMembers = {
  client_id: Uuid('The credential.'),
  name: Name,
  scopes: Scopes,
  requests_per_minute: RequestsPerMinute,
  default_version: orNull(DefaultVersion),
  created_at: Timestamp('When the credential was issued.'),
  disabled_at: orNull(Timestamp('When the credential was disabled.'), { examples: [null] }),
  previous_secret_ends_at: orNull(Timestamp('When the secret before the newest one expires.'), { examples: [null] }),
  last_used_at: orNull(Timestamp('When it last obtained a token, to the minute. Null: never.')),
}

export const Credential = Named('Credential', credentialMembers)

export const CredentialWithSecret = Named('CredentialWithSecret', {
  ...credentialMembers,
  client_secret: Type.String({
    description: 'Shown only in this response; the service stores only a hash.',
    examples: ['its_shown-this-once'],
  }),
})

export const NewCredential = Named('NewCredential', {
  name: Name,
  scopes: Scopes,
  requests_per_minute: Type.Optional(RequestsPerMinute),
  default_version: Type.Optional(orNull(DefaultVersion)),
})

export const CredentialChange = Named('CredentialChange', {
  name: Type.Optional(Name),
  scopes: Type.Optional(Scopes),
  requests_per_minute: Type.Optional(RequestsPerMinute),
})

const overlapHoursMax = 720
export const overlapHoursDefault = 24

export const CredentialRotation = Named('CredentialRotation', {
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: overlapHoursMax,
      default: overlapHoursDefault,
      description: 'How long the old secret keeps working. 0 expires it at once and revokes the tokens issued so far.',
    }),
  ),
})
