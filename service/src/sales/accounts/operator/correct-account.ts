import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../account.errors.ts'
import { AccountPath } from '../account.schema.ts'
import { accountFingerprint, lockAccount } from '../account.sql.ts'
import { changesBankData } from '../audit-bank-data-change.ts'
import { changeAccount } from '../change-account.ts'
import { AccountCorrection, accountCorrectionExamples, OperatorAccount } from './operator-account.schema.ts'
import { findOperatorAccount } from './operator-account.sql.ts'
import { viewOperatorAccount } from './operator-account.view.ts'

export const correctAccount = operatorOperation(
  {
    id: 'correctAccount',
    summary: 'Correct an account',
    description:
      'Replaces each object in the body as a whole and keeps the others, as integrators do. Other bank data decide ' +
      'where refunds go, so they need a second person by the policy `refund_to_changed_account`. Decide about `kyc` ' +
      'and `kyb` with `POST /accounts/{accountId}/decision`.',
    tag: 'Accounts',
    method: 'PATCH',
    path: '/accounts/:accountId',
    duty: 'compliance',
    approval: 'policy',
    idempotency: 'optional',
    params: AccountPath,
    body: AccountCorrection,
    bodyExamples: accountCorrectionExamples,
    success: { status: 200, body: OperatorAccount },
    errors: [requestErrors.not_found, accountErrors.account_erased],
  },
  async ({ params, body: { reason, ...change } }, { tenantId, tx, vault, audit }) => {
    const key = { tenantId, ...params }
    const account = found(await lockAccount(tx, key), 'There is no such account.')
    await changeAccount({ tx, vault, audit }, key, account, change)
    // The values are personal data, so the audit log contains only their names.
    audit({
      action: 'account.corrected',
      subject: { type: 'account', id: account.id },
      after: { changed: Object.keys(change), reason },
    })
    return viewOperatorAccount(found(await findOperatorAccount(tx, key), 'There is no such account.'), vault)
  },
  {
    policy: 'refund_to_changed_account',
    subject: 'account',
    isNeeded: async ({ params, body }, { tenantId, tx, vault }) => {
      const account = await lockAccount(tx, { tenantId, ...params })
      return !!account && !!body.bank_account && changesBankData(vault, account, body.bank_account)
    },
    fingerprint: accountFingerprint,
  },
)
