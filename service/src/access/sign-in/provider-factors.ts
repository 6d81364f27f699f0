import type { IDToken } from 'openid-client'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { signInErrors } from './sign-in.errors.ts'

// Equal to the time for which a step-up counts.
const freshMs = 5 * 60_000

/** Returns when the person authenticated; null if the provider does not say. Clocks differ, so a future time is now. */
export function authenticationTimeOf({ auth_time: seconds }: IDToken, now: Date): Date | null {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return null
  return new Date(Math.min(seconds * 1_000, now.getTime()))
}

export function factorsOf({ acr, amr }: IDToken): string[] {
  return [acr, ...(Array.isArray(amr) ? amr : [])].filter((factor) => typeof factor === 'string')
}

/** Throws unless the provider says that the person has just used a second factor, in a way that the settings accept. */
export function requireStepUp(
  name: string,
  accepted: readonly string[],
  found: { authenticatedAt: Date | null; hasSecondFactor: boolean; now: Date },
): void {
  const { authenticatedAt, hasSecondFactor, now } = found
  const isFresh = authenticatedAt !== null && authenticatedAt.getTime() > now.getTime() - freshMs
  if (isFresh && (hasSecondFactor || accepted.length === 0)) return
  throw new ApiError(
    signInErrors.step_up_not_proven,
    isFresh
      ? `The provider ${name} must send one of ${accepted.join(', ')} in the claim acr or amr: it did not say that a ` +
          'second factor was used.'
      : `The provider ${name} must send the claim auth_time with a time within the last five minutes: it did not say ` +
          'that you have just signed in there.',
  )
}
