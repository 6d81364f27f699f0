import type { Static } from 'typebox'
import type { Audit } from '../../platform/api/declare/audit.ts'
import type { OperatorFacts } from '../../platform/api/declare/operator-facts.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { ConfirmedApproval } from './approval.schema.ts'
import { decideLockedApproval } from './approval.sql.ts'
import { viewApproval } from './approval.view.ts'
import { lockPendingApproval } from './lock-pending-approval.ts'
import { recordApprovalEvent } from './record-approval-event.ts'
import { requireSecondPerson } from './require-second-person.ts'

interface ConfirmContext extends OperatorFacts {
  readonly tenantId: string
  readonly database: 'cell' | 'directory'
  readonly tx: Transaction
  readonly now: Date
  readonly audit: Audit
}

/** Stores decision and effect together: a crash leaves both or neither, and only one confirmation gets the lock. */
export async function confirm(approvalId: string, context: ConfirmContext): Promise<Static<typeof ConfirmedApproval>> {
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
