import { Type } from 'typebox'
import type { ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import { type JobContext, job } from '../../platform/jobs/job.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { findUser, selectDutyHolders, type UserRow } from '../users/user.sql.ts'
import { selectPendingApprovals } from './approval.sql.ts'
import { pendingApprovalsText } from './pending-approvals-text.ts'

export const mailPeriodMs = 600_000

// Maximum number that a tenant can have.
const approvalsMax = 1_000

type MailContext = Pick<JobContext, 'databases' | 'placement' | 'clock'>

/**
 * Sends everyone who can confirm a proposal of the period one mail about all proposals that wait for them. Sends
 * nothing if all proposals of the period have been decided.
 */
export const mailPendingApprovals = job({
  name: 'mail-pending-approvals',
  payload: Type.Object({
    tenant_id: Type.String(),
    database: Type.Enum(['cell', 'directory'] as const),
    period: Type.Integer(),
  }),
  keyOf: ({ database, period }) => `${database} ${period}`,
  run: async (payload, context) => {
    const { tenant_id: tenantId, database, period } = payload
    const pending = await pendingIn(context, tenantId, database)
    const isNew = ({ proposedAt }: ApprovalRow) => Math.floor(proposedAt.getTime() / mailPeriodMs) === period
    if (!pending.some(isNew)) return
    const { recipients, proposers } = await peopleOf(context, tenantId, pending)
    for (const [{ id, name, email }, approvals] of recipients)
      if (email && approvals.some(isNew))
        await context.mailer.send({
          about: [payload, id],
          to: { name, address: email },
          ...pendingApprovalsText(approvals, proposers, context.operatorUrl),
        })
  },
})

function pendingIn(context: MailContext, tenantId: string, database: 'cell' | 'directory'): Promise<ApprovalRow[]> {
  const wanted = { now: context.clock(), limit: approvalsMax }
  const read = { tenantId, access: 'read' } as const
  return database === 'cell'
    ? inTenantTransaction(context, read, (tx) => selectPendingApprovals(tx, { tenantId, database }, wanted))
    : inDirectoryTransaction(context.databases, read, (tx) =>
        selectPendingApprovals(tx, { tenantId, database }, wanted),
      )
}

/** Finds out who can confirm which approvals, and the names of the proposers. */
function peopleOf(
  { databases }: MailContext,
  tenantId: string,
  pending: readonly ApprovalRow[],
): Promise<{ recipients: Map<UserRow, ApprovalRow[]>; proposers: Map<string, string> }> {
  return inDirectoryTransaction(databases, { tenantId, access: 'read' }, async (tx) => {
    const byRight = Map.groupBy(pending, ({ confirmDuty, offeringId }) => `${confirmDuty} ${offeringId}`)
    const byUser = new Map<string, { user: UserRow; approvals: ApprovalRow[] }>()
    for (const approvals of byRight.values()) {
      const [{ confirmDuty: duty, offeringId }] = approvals as [ApprovalRow]
      for (const user of await selectDutyHolders(tx, { tenantId, duty, offeringId })) {
        const known = byUser.get(user.id) ?? { user, approvals: [] }
        known.approvals.push(...approvals.filter(({ proposedBy }) => proposedBy !== user.id))
        byUser.set(user.id, known)
      }
    }
    const proposerIds = [...new Set(pending.map(({ proposedBy }) => proposedBy))]
    const users = await tx.each(proposerIds, (tx, userId) => findUser(tx, { tenantId, userId }))
    return {
      recipients: new Map([...byUser.values()].map(({ user, approvals }) => [user, approvals])),
      proposers: new Map(users.flatMap((user) => (user ? [[user.id, user.name]] : []))),
    }
  })
}
