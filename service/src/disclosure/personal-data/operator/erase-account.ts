import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { recordEvent } from '../../../records/events/event.sql.ts'
import { AccountPath } from '../../../sales/accounts/account.schema.ts'
import { accountFingerprint, lockAccount } from '../../../sales/accounts/account.sql.ts'
import { recheckRegistrations } from '../../../sales/accounts/recheck-registrations.ts'
import { AccountErasure, ErasedAccount } from '../account-erasure.schema.ts'
import { eraseAccountData } from '../erase-account-data.ts'
import { erasureBlockers } from '../erasure-blockers.ts'
import { findErasureFacts } from '../erasure-facts.sql.ts'
import { personalDataErrors } from '../personal-data.errors.ts'

export const eraseAccount = operatorOperation(
  {
    id: 'eraseAccount',
    summary: 'Erase the personal data of an account',
    description:
      'Overwrites names, contact, tax and bank data, benefiting persons, documents, payers and stored requests of ' +
      'the account; ids, orders, amounts and wallet addresses stay. It cannot be undone and always needs a second ' +
      'person. Rejected while the account has open orders, unsettled refunds, tokens or wallets in use, and until ' +
      '`retention_years` have passed since its last business. An account that never had an order can be erased at ' +
      'once. Erasing it again changes nothing.',
    tag: 'Personal data',
    method: 'POST',
    path: '/accounts/:accountId/erase',
    duty: 'compliance',
    approval: 'always',
    idempotency: 'optional',
    params: AccountPath,
    body: AccountErasure,
    success: { status: 200, body: ErasedAccount },
    errors: [requestErrors.not_found, personalDataErrors.account_not_erasable],
  },
  async ({ params, body }, { tenantId, tx, vault, now, audit }) => {
    const key = { tenantId, ...params }
    const account = await lockAccount(tx, key)
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    if (account.erasedAt) {
      audit('nothing changed')
      return { id: account.id, erased_at: account.erasedAt.toISOString() }
    }
    const blockers = erasureBlockers(await findErasureFacts(tx, key), now)
    if (blockers.length > 0) throw new ApiError(personalDataErrors.account_not_erasable, blockers.join(' '))
    const erased = await eraseAccountData({ tx, vault, now }, key, account)
    await tx.batch(
      (tx) => recordEvent(tx, tenantId, { type: 'account.erased', data: { account_id: account.id } }),
      (tx) => recheckRegistrations(tx, key),
    )
    const subject = { type: 'account', id: account.id }
    audit({ action: 'account.erased', subject, after: { ...erased, reason: body.reason } })
    return { id: account.id, erased_at: now.toISOString() }
  },
  { policy: 'always', subject: 'account', fingerprint: accountFingerprint },
)
