import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { viewOf } from '../../../platform/api/declare/view-of.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { findOffering } from '../../offerings/operator/operator-offering.sql.ts'
import { InvitedAccount } from '../eligibility.schema.ts'
import { pageOfInvitedAccounts } from '../eligibility.sql.ts'

const viewInvitedAccount = viewOf(InvitedAccount, { account_id: 'id' })

export const listInvitedAccounts = keysetListOperation(
  {
    id: 'listInvitedAccounts',
    summary: 'List the accounts that are invited to an offering',
    description: 'Whether or not the offering is for invited accounts only.',
    tag: 'Offerings',
    path: '/offerings/:offeringId/invitations',
    duty: 'read',
    params: OfferingPath,
    item: InvitedAccount,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [offering, { count, rows }] = await tx.batch(
      (tx) => findOffering(tx, key),
      (tx) => pageOfInvitedAccounts(tx, key, page),
    )
    if (!offering) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    return { count, ...pageOf(rows, page, viewInvitedAccount) }
  },
)
