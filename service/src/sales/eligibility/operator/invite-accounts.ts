import { Type } from 'typebox'
import { Named } from '../../../platform/api/declare/fields.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { recheckOrdersOfAccount } from '../../blockers/recheck-orders.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { lockOffering } from '../../offerings/operator/operator-offering.sql.ts'
import { InvitedAccounts } from '../eligibility.schema.ts'
import { countInvitedAccounts, insertInvitedAccounts } from '../eligibility.sql.ts'

export const inviteAccounts = operatorOperation(
  {
    id: 'inviteAccounts',
    summary: 'Invite accounts to an offering',
    description:
      'Adds up to 100 accounts to those that an offering with `is_invited_only` is sold to. Accounts that are ' +
      'invited already stay so.',
    tag: 'Offerings',
    method: 'POST',
    path: '/offerings/:offeringId/invitations',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'never',
    idempotency: 'optional',
    params: OfferingPath,
    body: InvitedAccounts,
    success: {
      status: 200,
      body: Named('InvitationCount', {
        count: Type.Integer({ minimum: 0, description: 'How many accounts are invited now.', examples: [1] }),
      }),
    },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    found(await lockOffering(tx, key), 'There is no such offering.')
    const given = body.account_ids.map((id) => id.toLowerCase())
    const invited = await insertInvitedAccounts(tx, key, given, now)
    if (invited.length < given.length)
      throw validationFailed([
        { detail: 'The member account_ids must have ids of accounts that are not erased.', pointer: '/account_ids' },
      ])
    // Sorted by id, so that two requests never lock accounts in different orders.
    for (const accountId of invited.toSorted()) await recheckOrdersOfAccount(tx, { tenantId, accountId })
    audit({
      action: 'offering.accounts_invited',
      subject: { type: 'offering', id: params.offeringId },
      after: { account_ids: invited },
    })
    return { count: await countInvitedAccounts(tx, key) }
  },
)
