import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Static } from 'typebox'
import { ApiError } from '../../platform/api/errors/errors.ts'
import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type ChallengePurpose, readChallenge } from './challenge.ts'
import { passkeyErrors } from './passkey.errors.ts'
import type { PasskeyAssertion, PasskeyAttestation } from './passkey.schema.ts'
import { findPasskey, insertPasskey, recordPasskeyUse, useChallenge } from './passkey.sql.ts'
import { passkeyAlgorithms } from './passkey-options.ts'
import { webauthn } from './webauthn.ts'

interface Verifier {
  readonly secretPeppers: KeyRing
  readonly origin: string
  readonly now: Date
}

/**
 * Throws unless the person's passkey signed a challenge of this purpose, which cannot be used again. The transaction
 * must present the person.
 */
export async function verifyAssertion(
  tx: Transaction,
  identityId: string,
  verifier: Verifier,
  { purpose, credential }: { purpose: ChallengePurpose; credential: Static<typeof PasskeyAssertion> },
): Promise<void> {
  const key = { identityId, passkeyId: Buffer.from(credential.id, 'base64url') }
  const passkey = await findPasskey(tx, key)
  if (!passkey) throw rejected('This passkey is not registered for you here.')
  const checked = challengeCheck(verifier, purpose)
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifying(() =>
    verifyAuthenticationResponse({
      response: credential as AuthenticationResponseJSON,
      expectedChallenge: checked.accept,
      expectedOrigin: verifier.origin,
      expectedRPID: new URL(verifier.origin).hostname,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
      },
      requireUserVerification: true,
    }),
  )
  if (!verified) throw rejected('The signature of the passkey is not valid.')
  await useOnce(tx, identityId, checked.challenge)
  await recordPasskeyUse(tx, key, { signCount: authenticationInfo.newCounter, at: verifier.now })
}

/** Verifies a new passkey and stores it for the person, whom the transaction must present. */
export async function storePasskey(
  tx: Transaction,
  identityId: string,
  verifier: Verifier,
  {
    purpose,
    name,
    credential,
  }: { purpose: ChallengePurpose; name: string; credential: Static<typeof PasskeyAttestation> },
): Promise<{ id: Buffer; name: string; createdAt: Date; lastUsedAt: null }> {
  const checked = challengeCheck(verifier, purpose)
  const { verifyRegistrationResponse } = await webauthn()
  const { verified, registrationInfo } = await verifying(() =>
    verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      expectedChallenge: checked.accept,
      expectedOrigin: verifier.origin,
      expectedRPID: new URL(verifier.origin).hostname,
      supportedAlgorithmIDs: passkeyAlgorithms,
      requireUserVerification: true,
    }),
  )
  if (!verified) throw rejected('The new passkey is not valid.')
  await useOnce(tx, identityId, checked.challenge)
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const passkey = { id: Buffer.from(id, 'base64url'), name, createdAt: verifier.now }
  const key = { publicKey: Buffer.from(publicKey), signCount: counter, transports: [...transports] }
  if (!(await insertPasskey(tx, identityId, { ...passkey, ...key })))
    throw new ApiError(passkeyErrors.passkey_exists, 'This passkey is already registered.')
  return { ...passkey, lastUsedAt: null }
}

/** Checks the challenge for the library, which reads it from the signed data and asks whether it is expected. */
function challengeCheck({ secretPeppers, now }: Verifier, purpose: ChallengePurpose) {
  let challenge: ReturnType<typeof readChallenge>
  return {
    accept: (text: string): boolean => {
      challenge = readChallenge(secretPeppers, purpose, text, now)
      return challenge !== undefined
    },
    get challenge() {
      if (!challenge) throw new Error('the challenge was not checked')
      return challenge
    },
  }
}

/** Replaces the library's errors: its messages are about formats, not for people. */
async function verifying<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch {
    throw rejected(
      'The passkey was not accepted: the challenge does not match or has expired, or the signature is not valid.',
    )
  }
}

async function useOnce(
  tx: Transaction,
  identityId: string,
  challenge: { bytes: Buffer; expiresAt: Date },
): Promise<void> {
  if (!(await useChallenge(tx, identityId, challenge))) throw rejected('The challenge was already used.')
}

function rejected(message: string): ApiError {
  return new ApiError(passkeyErrors.passkey_rejected, message)
}
