import { Type } from 'typebox'
import { Closed, Named, orNull, Text, Timestamp } from '../../platform/api/declare/fields.ts'
import { Secret } from '../../platform/api/declare/masked.ts'

const base64url = (maxLength: number, description: string) => ({
  pattern: '^[A-Za-z0-9_-]+$',
  maxLength,
  description,
  examples: ['q83vEjRWeJA'],
})
const Base64url = (maxLength: number, description: string) => Type.String(base64url(maxLength, description))

const PasskeyId = Base64url(1_364, 'The id of the passkey, base64url.')
export const PasskeyChoice = Named('PasskeyChoice', { id: PasskeyId })

const passkeyName = Text(1, 200, { description: 'A name by which you recognise it.', examples: ['Security key'] })

export const Passkey = Named('Passkey', {
  id: PasskeyId,
  name: passkeyName,
  created_at: Timestamp('When it was registered.'),
  last_used_at: orNull(Timestamp('When it was last used.'), { examples: [null] }),
})

/** Browsers produce and consume these with `toJSON` and `parse…OptionsFromJSON` of PublicKeyCredential. */
export const PasskeyOptions = Named('PasskeyOptions', {
  options: Type.Unknown({
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
    examples: [{ challenge: 'q83vEjRWeJA', rpId: 'operator.example.com' }],
  }),
})

const credentialMembers = {
  id: PasskeyId,
  rawId: PasskeyId,
  type: Type.Enum(['public-key'] as const, { description: 'Always `public-key`.' }),
  authenticatorAttachment: Type.Optional(
    orNull(Type.String({ maxLength: 50, description: 'Not used.', examples: ['platform'] })),
  ),
  clientExtensionResults: Type.Unknown({ description: 'Not used.', examples: [{}] }),
}

export const PasskeyAssertion = Named(
  'PasskeyAssertion',
  {
    ...credentialMembers,
    response: Closed({
      clientDataJSON: Base64url(4_096, 'What the authenticator signed.'),
      authenticatorData: Base64url(4_096, 'What the authenticator knows.'),
      signature: Secret(base64url(4_096, 'The signature.')),
      userHandle: Type.Optional(orNull(Base64url(128, 'The person, for a sign-in without a user name.'))),
    }),
  },
  { description: 'The credential that the browser returned, as JSON.' },
)

export const PasskeyAttestation = Named(
  'PasskeyAttestation',
  {
    ...credentialMembers,
    response: Closed({
      clientDataJSON: Base64url(4_096, 'What the authenticator signed.'),
      attestationObject: Base64url(32_768, 'The new key.'),
      authenticatorData: Type.Optional(Base64url(16_384, 'The new key, again.')),
      publicKey: Type.Optional(orNull(Base64url(16_384, 'The new key, again.'))),
      publicKeyAlgorithm: Type.Optional(Type.Integer({ description: 'The algorithm of the key.', examples: [-7] })),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 50, examples: ['internal'] }), { maxItems: 10 })),
    }),
  },
  { description: 'The credential that the browser created, as JSON.' },
)

export const NewPasskey = Named('NewPasskey', { name: passkeyName, credential: PasskeyAttestation })
