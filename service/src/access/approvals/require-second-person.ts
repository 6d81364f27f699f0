import { hasDuty } from '../../platform/api/declare/duties.ts'
import type { OperatorFacts } from '../../platform/api/declare/operator-facts.ts'
import type { Colleague, KnownOperator } from '../../platform/api/declare/services.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import { approvalErrors } from './approval.errors.ts'

const independenceMs = 7 * 86_400_000
const emergencyMs = 24 * 3_600_000

/**
 * Throws unless the caller may confirm another user's proposal; returns that user. The rules compare identities, not
 * users, because one person could have several users.
 */
export function requireSecondPerson(
  approval: Pick<ApprovalRow, 'proposedBy' | 'duty' | 'confirmDuty' | 'offeringId'>,
  { operator, colleagues }: Pick<OperatorFacts, 'operator' | 'colleagues'>,
  now: Date,
): Colleague {
  const { proof, identityId } = operator
  if (proof.type === 'session' && proof.isBreakGlass && proof.createdAt.getTime() > now.getTime() - emergencyMs)
    throw new ApiError(approvalErrors.emergency_session, 'An emergency sign-in cannot confirm anything for 24 hours.')
  requireConfirmDuty(operator, approval, 'confirm')
  const colleagueOf = (userId: string | null) => colleagues.find((colleague) => colleague.userId === userId)
  const [proposer, second] = [colleagueOf(approval.proposedBy), colleagueOf(operator.userId)]
  if (!proposer || !hasDuty(proposer, approval.duty, approval.offeringId))
    throw new ApiError(
      approvalErrors.proposer_left,
      `The user who proposed this was removed or no longer has the duty ${approval.duty} for this. Propose it again.`,
    )
  // The proposer and, for a service user, everyone who can act as it.
  const responsible = [proposer, ...proposer.controllers]
  if (!identityId || !second || responsible.some((person) => mayBe(person, identityId)))
    throw new ApiError(
      approvalErrors.second_person_required,
      'A person other than the proposer must confirm this, and both must have signed in.',
    )
  if (responsible.some((person) => dependsOn(second, person, approval, now)))
    throw new ApiError(
      approvalErrors.second_person_too_new,
      'The proposer invited you or gave you this duty less than seven days ago. Have another person confirm this.',
    )
  // The reverse too: a person who invites an invented colleague must not confirm that colleague's proposals.
  if (wasInvitedBy(proposer, second, now))
    throw new ApiError(
      approvalErrors.second_person_too_new,
      'You invited the proposer less than seven days ago. Have another person confirm this.',
    )
  return proposer
}

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

/** A person who has never signed in may be anyone, including the one who confirms. */
function mayBe({ kind, identityId }: Pick<Colleague, 'kind' | 'identityId'>, secondIdentityId: string): boolean {
  return kind === 'person' && (identityId === null || identityId === secondIdentityId)
}

function dependsOn(
  second: Colleague,
  person: Pick<Colleague, 'userId'>,
  { confirmDuty }: Pick<ApprovalRow, 'confirmDuty'>,
  now: Date,
): boolean {
  return (
    wasInvitedBy(second, person, now) ||
    second.duties.some(
      ({ duty, grantedBy, grantedAt }) =>
        duty === confirmDuty && grantedBy === person.userId && isRecent(grantedAt, now),
    )
  )
}

function wasInvitedBy({ invitedBy, createdAt }: Colleague, { userId }: Pick<Colleague, 'userId'>, now: Date): boolean {
  return invitedBy === userId && isRecent(createdAt, now)
}

function isRecent(at: Date, now: Date): boolean {
  return at.getTime() > now.getTime() - independenceMs
}
