import { hasDuty } from '../declare/duties.ts'
import type { OfferingContext } from '../declare/offering-of.ts'
import type { OperatorHeader, ValidatedInput } from '../declare/operation.ts'
import type { KnownOperator } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'

/** Returns the offering that the request concerns; null if it concerns none, several, or one that does not exist. */
export async function offeringOf(
  { offering }: OperatorHeader,
  { params }: ValidatedInput,
  context: OfferingContext,
): Promise<string | null> {
  if (offering === undefined || offering === 'none') return null
  if (offering === 'params.offeringId') return params['offeringId'] ?? null
  return offering(params, context)
}

/**
 * Throws if the caller has the duty only for other offerings. Admission has checked that the caller has the duty at
 * all; this part must read rows, so it runs in the transaction, before the operation.
 */
export async function requireDutyForOffering(
  header: OperatorHeader,
  input: ValidatedInput,
  context: OfferingContext & { readonly operator: KnownOperator },
): Promise<void> {
  const { operator } = context
  const { duty } = header
  if (hasDuty(operator, duty, null)) return
  if (hasDuty(operator, duty, await offeringOf(header, input, context))) return
  throw new ApiError(
    requestErrors.insufficient_duty,
    `This operation needs the duty ${duty}; yours is limited to offerings that this request does not concern.`,
  )
}
