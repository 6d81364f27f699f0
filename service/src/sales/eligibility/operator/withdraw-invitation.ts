import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { findAccount } from '../../accounts/account.sql.ts'
import { recheckOrdersOfAccount } from '../../blockers/recheck-orders.ts'
import { lockOffering } from '../../offerings/operator/operator-offering.sql.ts'
import { AccountEligibility, InvitationPath } from '../eligibility.schema.ts'
import { deleteInvitedAccount } from '../eligibility.sql.ts'
import { readAccountEligibility } from '../eligibility.view.ts'

export const withdrawInvitation = operatorOperation(
  {
    id: 'withdrawInvitation',
    summary: 'Withdraw the invitation of an account',
    description: 'Orders of the account that are not being minted wait again. Withdrawing it again changes nothing.',
    tag: 'Offerings',
    method: 'POST',
    path: '/offerings/:offeringId/invitations/:accountId/withdraw',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'never',
    idempotency: 'optional',
    params: InvitationPath,
    success: { status: 200, body: AccountEligibility },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    found(await lockOffering(tx, key), 'There is no such offering.')
    found(await findAccount(tx, key), 'There is no such account.')
    if (await deleteInvitedAccount(tx, key)) {
      await recheckOrdersOfAccount(tx, key)
      audit({
        action: 'offering.invitation_withdrawn',
        subject: { type: 'offering', id: params.offeringId },
        after: { account_id: params.accountId },
      })
    } else audit('nothing changed')
    return readAccountEligibility(tx, key)
  },
)
