import type { KnownOperator } from '../../platform/api/declare/services.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../approvals/approval.errors.ts'
import { passkeyErrors } from './passkey.errors.ts'
import type { PasskeyRow } from './passkey.sql.ts'

const recentMs = 5 * 60_000
const passkeysMax = 20

/**
 * Throws unless the person may register another passkey now. A stolen session must not become a second factor: a
 * further passkey needs the use of an existing one, and the first one a sign-in that has just happened. A provider that
 * remembers a person signs in anyone at their browser, so the time that counts is when they last authenticated there.
 */
export function requireRegistration(
  { proof }: KnownOperator,
  passkeys: readonly PasskeyRow[],
  { authenticatedAt, now }: { authenticatedAt: Date | null; now: Date },
): void {
  if (proof.type !== 'session') throw new Error('a passkey is registered without a session')
  // Access by an emergency link must end with its session.
  if (proof.isBreakGlass)
    throw new ApiError(
      approvalErrors.emergency_session,
      'An emergency sign-in cannot register passkeys. Sign in as usual.',
    )
  const isRecent = (at: Date | null) => at !== null && at.getTime() > now.getTime() - recentMs
  if (passkeys.length === 0 && !isRecent(authenticatedAt ?? proof.signedInAt))
    throw new ApiError(
      passkeyErrors.sign_in_again,
      'The first passkey can be registered only within five minutes of signing in, also at your identity provider. ' +
        'Sign in again.',
    )
  if (passkeys.length > 0 && !isRecent(proof.steppedUpAt))
    throw new ApiError(requestErrors.step_up_needed, 'Use a passkey that you have, then register the new one.')
  if (passkeys.length >= passkeysMax)
    throw new ApiError(passkeyErrors.passkey_exists, `You have ${passkeysMax} passkeys. Remove one first.`)
}

/** Returns the person behind a session. */
export function personOf({ identityId, proof }: KnownOperator): { identityId: string; sessionId: string } {
  if (!identityId || proof.type !== 'session') throw new Error('an operation of a person runs without a session')
  return { identityId, sessionId: proof.id }
}
