import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../../sales/accounts/account.schema.ts'
import { findAccount } from '../../../sales/accounts/account.sql.ts'
import { readSubjectData } from '../read-subject-data.ts'
import { SubjectData } from '../subject-data.schema.ts'

export const exportSubjectData = operatorOperation(
  {
    id: 'exportSubjectData',
    summary: 'Export everything about an investor',
    description:
      'For an investor who asks what is stored about them: the account in full, benefiting persons, wallets, orders, ' +
      'payments with payers, refunds with creditors, entries of bank statements, balances, transactions, documents, ' +
      'notes, proposals and the records of the audit log. Documents are listed; download each by itself. Needs a ' +
      'passkey used within five minutes, and a second person by the policy `personal_data_export`, who then receives ' +
      'the data. The audit log records it.',
    tag: 'Personal data',
    method: 'POST',
    path: '/accounts/:accountId/subject-access',
    duty: 'personal',
    session: 'passkey',
    approval: 'policy',
    idempotency: 'none',
    cost: 'heavy',
    params: AccountPath,
    success: { status: 200, body: SubjectData },
    errors: [requestErrors.not_found],
  },
  async ({ params }, context) => {
    const key = { tenantId: context.tenantId, ...params }
    const account = await findAccount(context.tx, key)
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    const data = await readSubjectData(context, key, account)
    const subject = { type: 'account', id: account.id }
    context.audit({ action: 'account.exported', subject, after: { shown: Object.keys(data) } })
    return data
  },
  { policy: 'personal_data_export', subject: 'account' },
)
