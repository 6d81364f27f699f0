import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import type { KnownOperator } from './services.ts'

const passkeyMsMax = 5 * 60_000

export function requireSignedIn({ proof }: Pick<KnownOperator, 'proof'>): void {
  if (proof.type === 'session') return
  throw new ApiError(
    requestErrors.session_required,
    'This operation needs a signed-in person; a personal access token is not enough.',
  )
}

/**
 * Rejects an operator without a recent passkey, for operations that need one only in some cases; the others declare
 * `session: 'passkey'`. A confirmed request passes: its proposer used a passkey when proposing it.
 */
export function requirePasskey(operator: Pick<KnownOperator, 'proof'>, now: Date): void {
  const { proof } = operator
  if (proof.type === 'approval') return
  requireSignedIn(operator)
  const steppedUpAt = proof.type === 'session' ? proof.steppedUpAt : null
  if (!steppedUpAt || steppedUpAt.getTime() <= now.getTime() - passkeyMsMax)
    throw new ApiError(requestErrors.step_up_needed, 'Use your passkey, then repeat the request.')
}
