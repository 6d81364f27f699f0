import type { Audit } from '../../platform/api/declare/audit.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AccountRow, updateLockedAccount } from '../accounts/account.sql.ts'
import { upsertAccountApproval } from '../accounts/account-approval.sql.ts'
import { recordApprovalChange } from '../accounts/record-approval-change.ts'
import { type KycCheckRow, outdateQueuedChecks } from './kyc-check.sql.ts'

interface Applying {
  readonly tenantId: string
  readonly tx: Transaction
  readonly audit: Audit
  readonly now: Date
}

/**
 * Gives a locked account the status and validity of a check, and takes older checks from the queue. The audit log and
 * the stored decision name the check.
 */
export async function applyKycCheck(
  { tenantId, tx, audit, now }: Applying,
  account: AccountRow,
  check: Omit<KycCheckRow, 'status' | 'statusChangedAt'>,
  reason?: string,
): Promise<void> {
  const key = { tenantId, accountId: account.id }
  const { kind, decidedAt } = check
  const status = check.outcome === 'approved' ? 'APPROVED' : 'REJECTED'
  const previousStatus = account[`${kind}Status`]
  const decision = { decidedAt, checkId: check.id, validUntil: status === 'APPROVED' ? check.validUntil : null }
  const change = { kind, status, previousStatus, decision, ...(reason !== undefined && { reason }) } as const
  if (status === previousStatus) {
    await upsertAccountApproval(tx, key, kind, decision)
    audit({
      action: `account.${kind}_renewed`,
      subject: { type: 'account', id: account.id },
      after: { check_id: check.id, valid_until: decision.validUntil?.toISOString() ?? null },
    })
  } else {
    await updateLockedAccount(tx, tenantId, { ...account, [`${kind}Status`]: status })
    await recordApprovalChange({ tx, audit }, key, change)
  }
  await outdateQueuedChecks(tx, tenantId, check, { now, keepsFinal: false })
}
