import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../account.errors.ts'
import { AccountPath } from '../account.schema.ts'
import { accountVersion, lockAccount, updateLockedAccount } from '../account.sql.ts'
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
      'for the approval advance or stop. Leaving REJECTED may need a second person. Setting the current value again ' +
      'changes nothing.',
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
    errors: [requestErrors.not_found, accountErrors.account_erased],
  },
  async ({ params, body }, { tenantId, tx, vault, audit }) => {
    const key = { tenantId, ...params }
    const account = await lockAccount(tx, key)
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    requireNotErased(account)
    const kind = body.kyc ? 'kyc' : 'kyb'
    const previousStatus = account[`${kind}Status`]
    // The schema guarantees that the body has one of them.
    const status = body.kyc ?? body.kyb ?? previousStatus
    if (status === previousStatus) audit('nothing changed')
    else
      await Promise.all([
        updateLockedAccount(tx, tenantId, { ...account, [`${kind}Status`]: status }),
        recordApprovalChange({ tx, audit }, key, { kind, status, previousStatus, reason: body.reason }),
      ])
    const decided = await findOperatorAccount(tx, key)
    if (!decided) throw new Error('the locked account was not found')
    return viewOperatorAccount(decided, vault)
  },
  {
    policy: 'kyc_reapproval',
    subject: 'account',
    isNeeded: async ({ params, body }, { tenantId, tx }) => {
      if ((body.kyc ?? body.kyb) === 'REJECTED') return false
      const account = await lockAccount(tx, { tenantId, ...params })
      // Whatever follows: otherwise one person could approve the account in two steps, for example by way of PENDING.
      return (body.kyc ? account?.kycStatus : account?.kybStatus) === 'REJECTED'
    },
    version: accountVersion,
  },
)
