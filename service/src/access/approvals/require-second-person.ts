import { hasDuty } from '../../platform/api/declare/duties.ts'
import type { OperatorFacts } from '../../platform/api/declare/operator-facts.ts'
import type { Colleague } from '../../platform/api/declare/services.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import { approvalErrors } from './approval.errors.ts'

const independenceMs = 7 * 86_400_000
const emergencyMs = 24 * 3_600_000

/**
 * Throws unless the caller may confirm what another user proposed; returns that user. What counts is the person behind
 * a user: the rules compare identities, because one person could have several users.
 */
export function requireSecondPerson(
  approval: Pick<ApprovalRow, 'proposedBy' | 'duty' | 'confirmDuty'>,
  { operator, colleagues }: Pick<OperatorFacts, 'operator' | 'colleagues'>,
  now: Date,
): Colleague {
  const { proof, identityId } = operator
  if (proof.type === 'session' && proof.isBreakGlass && proof.createdAt.getTime() > now.getTime() - emergencyMs)
    throw new ApiError(approvalErrors.emergency_session, 'An emergency sign-in cannot confirm anything for 24 hours.')
  if (!hasDuty(operator, approval.confirmDuty))
    throw new ApiError(requestErrors.insufficient_duty, `To confirm this you need the duty ${approval.confirmDuty}.`)
  const colleagueOf = (userId: string | null) => colleagues.find((colleague) => colleague.userId === userId)
  const [proposer, second] = [colleagueOf(approval.proposedBy), colleagueOf(operator.userId)]
  if (!proposer || !hasDuty(proposer, approval.duty))
    throw new ApiError(
      approvalErrors.proposer_left,
      `The user who proposed this was removed or no longer has the duty ${approval.duty}. Propose it again.`,
    )
  // The person who proposed; for a service user, also the person who created it.
  const creator = proposer.kind === 'service' ? colleagueOf(proposer.invitedBy) : undefined
  const responsible = creator ? [proposer, creator] : [proposer]
  if (!identityId || !second || responsible.some((person) => person.identityId === identityId))
    throw new ApiError(approvalErrors.second_person_required, 'Another person than the proposer must confirm this.')
  if (responsible.some((person) => dependsOn(second, person, approval, now)))
    throw new ApiError(
      approvalErrors.second_person_too_new,
      'The proposer invited you or gave you this duty less than seven days ago. Have another person confirm this.',
    )
  return proposer
}

function dependsOn(
  second: Colleague,
  { userId }: Colleague,
  { confirmDuty }: Pick<ApprovalRow, 'confirmDuty'>,
  now: Date,
): boolean {
  const isRecent = (at: Date) => at.getTime() > now.getTime() - independenceMs
  const wasInvited = second.invitedBy === userId && isRecent(second.createdAt)
  return (
    wasInvited ||
    second.duties.some(
      ({ duty, grantedBy, grantedAt }) => duty === confirmDuty && grantedBy === userId && isRecent(grantedAt),
    )
  )
}
