import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { Account, AccountChange, AccountPath, accountChangeExamples } from './account.schema.ts'
import { lockAccount, updateLockedAccount } from './account.sql.ts'
import { encryptionContext, viewAccount } from './account.view.ts'
import { recordApprovalChange } from './record-approval-change.ts'

export const updateAccount = operation(
  {
    id: 'updateAccount',
    summary: 'Change an account',
    description: 'Replaces each object in the body as a whole and keeps the others. Send `kyc` or `kyb`, not both.',
    tag: 'Accounts',
    method: 'PATCH',
    path: '/accounts/:accountId',
    scopes: ['account.update'],
    idempotency: 'required',
    params: AccountPath,
    body: AccountChange,
    bodyExamples: accountChangeExamples,
    success: { status: 200, body: Account },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, vault, audit }) => {
    const key = { tenantId, ...params }
    const account = await lockAccount(tx, key)
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    if (Object.keys(body).length === 0) return viewAccount(account, vault)

    const { communication, bank_account, tax_information, kyc, kyb } = body
    const changed = {
      ...account,
      ...(communication && { email: communication.email, emailConfirmed: communication.email_confirmed }),
      ...(bank_account && {
        bankAccount: await vault.seal(JSON.stringify(bank_account), encryptionContext(account.id, 'bank_account')),
      }),
      ...(tax_information && {
        taxInformation: await vault.seal(
          JSON.stringify(tax_information),
          encryptionContext(account.id, 'tax_information'),
        ),
      }),
      ...(kyc && { kycStatus: kyc.status }),
      ...(kyb && { kybStatus: kyb.status }),
    }
    const approvals = [
      { kind: 'kyc', status: changed.kycStatus, previousStatus: account.kycStatus },
      { kind: 'kyb', status: changed.kybStatus, previousStatus: account.kybStatus },
    ] as const
    const data = { account_id: account.id, changed: Object.keys(body) }
    await Promise.all([
      updateLockedAccount(tx, tenantId, changed),
      recordEvent(tx, tenantId, { type: 'account.updated', data }),
      ...approvals
        .filter(({ status, previousStatus }) => status !== previousStatus)
        .map((change) => recordApprovalChange({ tx, audit }, key, change)),
    ])
    return viewAccount(changed, vault)
  },
)
