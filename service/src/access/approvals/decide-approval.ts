import type { Static } from 'typebox'
import type { Audit } from '../../platform/api/declare/audit.ts'
import type { OperatorFacts } from '../../platform/api/declare/operator-facts.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { ApprovalKey, ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { approvalErrors } from './approval.errors.ts'
import type { Approval, ConfirmedApproval } from './approval.schema.ts'
import { decideLockedApproval, lockApproval } from './approval.sql.ts'
import { isApprovalExpired, viewApproval } from './approval.view.ts'
import { recordApprovalEvent } from './record-approval-event.ts'
import { requireConfirmDuty, requireSecondPerson } from './require-second-person.ts'

interface DecisionContext extends OperatorFacts {
  readonly tenantId: string
  readonly database: 'cell' | 'directory'
  readonly tx: Transaction
  readonly now: Date
  readonly audit: Audit
}

/** Stores decision and effect together: a crash leaves both or neither, and only one confirmation gets the lock. */
export async function confirm(approvalId: string, context: DecisionContext): Promise<Static<typeof ConfirmedApproval>> {
  const { tenantId, database, tx, now, operator, audit } = context
  const key = { tenantId, database, approvalId }
  const approval = await lockPendingApproval(tx, key, now)
  const proposer = requireSecondPerson(approval, context, now)
  const { userId, kind: userKind, identityId, duties } = proposer
  const { policies, tenantRequestsPerMinute, expiresAt, isRevoked } = operator
  const proof = { type: 'approval', id: approvalId } as const
  const sameTenant = { tenantId, policies, tenantRequestsPerMinute, expiresAt, isRevoked }
  const asProposer = { ...sameTenant, userId, userKind, identityId, duties, proof }
  await decideLockedApproval(tx, key, { state: 'confirmed', by: operator.userId, at: now })
  const result = await context.runProposed({ ...approval, proposer: asProposer })
  await recordApprovalEvent(tx, key, 'confirmed', { operation: approval.operation, offering_id: approval.offeringId })
  const subject = { type: 'approval', id: approvalId }
  audit({ action: 'approval.confirmed', subject, after: { operation: approval.operation, proposed_by: userId } })
  const decided = { ...approval, state: 'confirmed', decidedBy: operator.userId, decidedAt: now } as const
  return { approval: viewApproval(decided, now), result }
}

/** Rejects another user's proposal, which needs the duty to confirm it, or withdraws the caller's own. */
export async function closeApproval(
  approvalId: string,
  state: 'rejected' | 'withdrawn',
  { tenantId, database, tx, now, operator, audit }: DecisionContext,
): Promise<Static<typeof Approval>> {
  const key = { tenantId, database, approvalId }
  const approval = await lockPendingApproval(tx, key, now)
  if (state === 'withdrawn' && approval.proposedBy !== operator.userId)
    throw new ApiError(requestErrors.insufficient_duty, 'Only the user who proposed a change can withdraw it.')
  if (state === 'rejected') requireConfirmDuty(operator, approval, 'reject')
  await decideLockedApproval(tx, key, { state, by: operator.userId, at: now })
  await recordApprovalEvent(tx, key, state, { operation: approval.operation, offering_id: approval.offeringId })
  const subject = { type: 'approval', id: approvalId }
  audit({ action: `approval.${state}`, subject, after: { operation: approval.operation } })
  return viewApproval({ ...approval, state, decidedBy: operator.userId, decidedAt: now }, now)
}

/** Locks an approval that can still be decided; throws 404 or 409. */
async function lockPendingApproval(tx: Transaction, key: ApprovalKey, now: Date): Promise<ApprovalRow> {
  const approval = await lockApproval(tx, key)
  if (!approval) throw new ApiError(requestErrors.not_found, 'There is no such approval.')
  if (isApprovalExpired(approval, now))
    throw new ApiError(
      approvalErrors.approval_not_pending,
      `The approval expired at ${approval.expiresAt.toISOString()}: propose the change again.`,
    )
  if (approval.state !== 'pending')
    throw new ApiError(approvalErrors.approval_not_pending, `The approval is already ${approval.state}.`)
  return approval
}
