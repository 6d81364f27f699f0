import type { KeyRing } from '../../platform/base/key-ring.ts'
import { type ChallengePurpose, newPasskeyChallenge } from './challenge.ts'
import type { PasskeyRow } from './passkey.sql.ts'
import { webauthn } from './webauthn.ts'

/** EdDSA, ES256 and RS256. The default also probes for algorithms that Node reports as experimental. */
export const passkeyAlgorithms = [-8, -7, -257]

interface Challenger {
  readonly secretPeppers: KeyRing
  /** Scheme and host of the pages that use the passkey. Passkeys are bound to the host. */
  readonly origin: string
  readonly now: Date
}

/** Returns options for the browser to use a passkey: one of those given, or any that it has for this site. */
export async function requestOptions(
  { secretPeppers, origin, now }: Challenger,
  purpose: ChallengePurpose,
  passkeys: readonly Pick<PasskeyRow, 'id' | 'transports'>[] = [],
): Promise<unknown> {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge: newPasskeyChallenge(secretPeppers, purpose, now),
    allowCredentials: passkeys.map(describe),
    userVerification: 'required',
  })
}

/** Returns options for the browser to create a passkey, on an authenticator that has none of the given ones. */
export async function creationOptions(
  { secretPeppers, origin, now }: Challenger,
  purpose: ChallengePurpose,
  person: {
    identityId: string
    name: string
    email: string
    passkeys: readonly Pick<PasskeyRow, 'id' | 'transports'>[]
  },
): Promise<unknown> {
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: 'Investor Token Service',
    rpID: new URL(origin).hostname,
    userID: new Uint8Array(Buffer.from(person.identityId.replaceAll('-', ''), 'hex')),
    userName: person.email,
    userDisplayName: person.name,
    challenge: newPasskeyChallenge(secretPeppers, purpose, now),
    attestationType: 'none',
    supportedAlgorithmIDs: passkeyAlgorithms,
    excludeCredentials: person.passkeys.map(describe),
    // Stored on the authenticator, so that a person can sign in without a user name.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

function describe({ id, transports }: Pick<PasskeyRow, 'id' | 'transports'>): { id: string; transports: string[] } {
  return { id: id.toString('base64url'), transports }
}
