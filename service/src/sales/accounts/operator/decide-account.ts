import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { accountErrors } from '../account.errors.ts'
import { AccountPath } from '../account.schema.ts'
import { type AccountKey, accountFingerprint, lockAccount, updateLockedAccount } from '../account.sql.ts'
import { type ApprovalRisk, unacknowledged } from '../approval-risks.ts'
import { recordApprovalChange } from '../record-approval-change.ts'
import { requireNotErased } from '../require-not-erased.ts'
import { accountDecision } from './account-decision.ts'
import { ApprovalDecision, decisionExamples, OperatorAccount } from './operator-account.schema.ts'
import { findOperatorAccount } from './operator-account.sql.ts'
import { viewOperatorAccount } from './operator-account.view.ts'

export const decideAccount = operatorOperation(
  {
    id: 'decideAccount',
    summary: 'Decide about an account',
    description:
      'Sets `kyc` or `kyb`, from any value to any value, and records the reason in the audit log. Orders that wait ' +
      'for the approval advance or stop. An approval must acknowledge the `approval_risks` of the account. Leaving ' +
      'REJECTED, and approving what a provider has rejected, may need a second person. Setting the current value ' +
      'again changes nothing.',
    tag: 'Accounts',
    method: 'POST',
    path: '/accounts/:accountId/decision',
    duty: 'compliance',
    approval: 'policy',
    decides: accountDecision,
    bulk: true,
    idempotency: 'optional',
    params: AccountPath,
    body: ApprovalDecision,
    bodyExamples: decisionExamples,
    success: { status: 200, body: OperatorAccount },
    errors: [requestErrors.not_found, accountErrors.account_erased, accountErrors.acknowledgement_missing],
  },
  async ({ params, body }, { tenantId, tx, vault, audit }) => {
    const key = { tenantId, ...params }
    const account = found(await lockAccount(tx, key), 'There is no such account.')
    requireNotErased(account)
    const kind = body.kyc ? 'kyc' : 'kyb'
    const previousStatus = account[`${kind}Status`]
    // The schema guarantees that the body has one of them.
    const status = body.kyc ?? body.kyb ?? previousStatus
    if (status === previousStatus) audit('nothing changed')
    else {
      const acknowledged = status === 'APPROVED' ? await requireAcknowledged(tx, key, kind, body.acknowledged) : []
      await tx.batch(
        (tx) => updateLockedAccount(tx, tenantId, { ...account, [`${kind}Status`]: status }),
        (tx) =>
          recordApprovalChange({ tx, audit }, key, { kind, status, previousStatus, reason: body.reason, acknowledged }),
      )
    }
    return viewOperatorAccount(found(await findOperatorAccount(tx, key), 'There is no such account.'), vault)
  },
  {
    policy: 'kyc_reapproval',
    subject: 'account',
    isNeeded: async ({ params, body }, { tenantId, tx }) => {
      if ((body.kyc ?? body.kyb) === 'REJECTED') return false
      const account = await lockAccount(tx, { tenantId, ...params })
      // Applies whatever the new status is: otherwise one person could approve the account in two steps, for example
      // via PENDING.
      if ((body.kyc ? account?.kycStatus : account?.kybStatus) === 'REJECTED') return true
      if ((body.kyc ?? body.kyb) !== 'APPROVED') return false
      const known = await findOperatorAccount(tx, { tenantId, ...params })
      return known?.approvalRisks[body.kyc ? 'kyc' : 'kyb'].includes('provider_rejected') ?? false
    },
    fingerprint: accountFingerprint,
  },
)

/** Returns the risks of the approval. Throws unless the person has acknowledged each of them. */
async function requireAcknowledged(
  tx: Transaction,
  key: AccountKey,
  kind: 'kyc' | 'kyb',
  acknowledged: readonly ApprovalRisk[] | undefined,
): Promise<readonly ApprovalRisk[]> {
  const risks = (await findOperatorAccount(tx, key))?.approvalRisks[kind] ?? []
  const missing = unacknowledged(risks, acknowledged)
  if (missing.length > 0)
    throw new ApiError(
      accountErrors.acknowledgement_missing,
      `Approving ${kind} needs the acknowledgement of ${missing.join(', ')}. Check the account, then send it in ` +
        'acknowledged.',
    )
  return risks
}
