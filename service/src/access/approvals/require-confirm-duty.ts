import { hasDuty } from '../../platform/api/declare/duties.ts'
import type { KnownOperator } from '../../platform/api/declare/services.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'

/** Throws unless the user has the duty to decide about the approval, for its offering if it concerns one. */
export function requireConfirmDuty(
  operator: KnownOperator,
  { confirmDuty, offeringId }: Pick<ApprovalRow, 'confirmDuty' | 'offeringId'>,
  verb: 'confirm' | 'reject',
): void {
  if (hasDuty(operator, confirmDuty, offeringId)) return
  const where = offeringId === null ? '' : ` for the offering ${offeringId}`
  throw new ApiError(requestErrors.insufficient_duty, `To ${verb} this you need the duty ${confirmDuty}${where}.`)
}
