import { Type } from 'typebox'
import { Timestamp } from '../http/fields.ts'
import { scopes } from '../http/scopes.ts'
import { versionNames } from '../http/versions.ts'

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
