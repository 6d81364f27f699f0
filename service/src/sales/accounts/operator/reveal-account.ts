import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Account, AccountPath } from '../account.schema.ts'
import { findAccount } from '../account.sql.ts'
import { viewAccount } from '../account.view.ts'

export const revealAccount = operatorOperation(
  {
    id: 'revealAccount',
    summary: 'Show the bank and tax data of an account',
    description:
      'The account as integrators see it, with the IBAN, the tax identification number and the VAT number in full. ' +
      'The audit log records who has seen them.',
    tag: 'Accounts',
    method: 'POST',
    path: '/accounts/:accountId/reveal',
    duty: 'personal',
    approval: 'never',
    // A stored response could be shown again without a record in the audit log.
    idempotency: 'none',
    params: AccountPath,
    success: { status: 200, body: Account },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, vault, audit }) => {
    const account = found(await findAccount(tx, { tenantId, ...params }), 'There is no such account.')
    const hasVatId = account.type === 'COMPANY'
    const shown = [
      'bank_account',
      ...(account.taxInformation ? ['tax_information'] : []),
      ...(hasVatId ? ['vat_id'] : []),
    ]
    audit({ action: 'account.revealed', subject: { type: 'account', id: account.id }, after: { shown } })
    return viewAccount(account, vault)
  },
)
