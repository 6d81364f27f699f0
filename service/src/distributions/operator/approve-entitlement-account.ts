import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { EntitlementPath } from '../../sales/entitlements/entitlement.schema.ts'
import { lockEntitlement, moveEntitlement } from '../../sales/entitlements/entitlement.sql.ts'
import { distributionErrors } from '../distribution.errors.ts'
import { DistributionEntitlement } from '../distribution.schema.ts'
import { viewDistributionEntitlement } from '../distribution.view.ts'
import {
  entitlementAccountFingerprint,
  lockEntitlementAccount,
  setEntitlementAccountApproved,
} from '../entitlement-account.sql.ts'

export const approveEntitlementAccount = operatorOperation(
  {
    id: 'approveEntitlementAccount',
    summary: 'Approve the bank account that an entitlement is paid to',
    description:
      'For an entitlement that a file leaves out with `bank_account_changed` or `holder_unlike_investor`, and for ' +
      'one that the bank returned: correct the bank account of the investor first. A returned one becomes due again; ' +
      '`POST /distributions/{distributionId}/pay` then writes a file with it. The approval is void as soon as the ' +
      'bank account changes. It also releases an entitlement that is left out with `account_not_approved`, as long ' +
      'as the account has this status: a second person always confirms that.',
    tag: 'Distributions',
    method: 'POST',
    path: '/entitlements/:entitlementId/approve-account',
    duty: 'money',
    approval: 'policy',
    idempotency: 'optional',
    params: EntitlementPath,
    success: { status: 200, body: DistributionEntitlement },
    errors: [requestErrors.not_found, distributionErrors.distribution_not_in_state],
  },
  async ({ params: { entitlementId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, entitlementId }
    const entitlement = await lockEntitlement(tx, key)
    const account = await lockEntitlementAccount(tx, key)
    if (!account || !entitlement) throw new ApiError(requestErrors.not_found, 'The entitlement does not exist.')
    const { status, approvedBankAccountVersion: before } = entitlement
    if (status !== 'due' && status !== 'returned')
      throw new ApiError(
        distributionErrors.distribution_not_in_state,
        `The entitlement is ${status}; only one that is due or returned can be paid to another account.`,
      )
    await setEntitlementAccountApproved(tx, key, account)
    const moved =
      status === 'returned' ? await moveEntitlement(tx, tenantId, entitlement, { to: 'due', now }) : entitlement
    audit({
      action: 'entitlement.account_approved',
      subject: { type: 'entitlement', id: entitlementId },
      before: { approved_bank_account_version: before, status },
      after: {
        approved_bank_account_version: account.bankAccountVersion,
        status: moved.status,
        account_id: account.accountId,
        account_status: account.approval,
      },
    })
    return viewDistributionEntitlement({ ...moved, accountName: account.accountName })
  },
  {
    policy: 'refund_to_changed_account',
    confirmDuty: 'release',
    subject: 'entitlement',
    // This pays an investor who was never approved or has since been rejected.
    isAlwaysNeeded: async ({ params }, { tenantId, tx }) => {
      const account = await lockEntitlementAccount(tx, { tenantId, ...params })
      return account !== undefined && account.approval !== 'APPROVED'
    },
    amount: async ({ params }, { tenantId, tx }) => (await lockEntitlement(tx, { tenantId, ...params }))?.net,
    fingerprint: entitlementAccountFingerprint,
  },
)
