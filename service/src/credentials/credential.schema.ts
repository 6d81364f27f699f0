import { Type } from 'typebox'
import { scopes } from '../http/scopes.ts'
import { versionNames } from '../http/versions.ts'

/** Unknown members are ignored here, and only here: OAuth clients send a grant_type out of habit. */
export const AuthRequest = Type.Object({
  client_id: Type.String({ minLength: 1, description: 'The id of the credential.' }),
  client_secret: Type.String({ minLength: 1, description: 'One of the live secrets of the credential.' }),
  scopes: Type.Array(Type.Enum(scopes), {
    minItems: 1,
    description: 'What the token shall be allowed to do. All of it must be granted to the credential.',
  }),
  api_version: Type.Optional(
    Type.Enum(versionNames, { description: 'The version of the contract. Default: that of the credential.' }),
  ),
})

export const AuthResponse = Type.Object(
  {
    access_token: Type.String({ description: 'An HS256 JWT.' }),
    token_type: Type.Literal('Bearer'),
    expires_at: Type.String({ format: 'date-time', description: 'When the token ends, 600 seconds after its issue.' }),
  },
  { additionalProperties: false },
)
