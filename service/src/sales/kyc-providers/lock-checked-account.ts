import type { SubjectFingerprint } from '../../platform/api/declare/approval.ts'
import type { DecidedResource } from '../../platform/api/declare/decision.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AccountRow, lockAccount } from '../accounts/account.sql.ts'
import { kycCheckStatuses } from './kyc-check.schema.ts'
import { type CheckKey, findKycCheck, type KycCheckRow, lockKycCheck } from './kyc-check.sql.ts'

export interface CheckedAccount {
  readonly check: KycCheckRow
  readonly account: AccountRow
}

/** Locks the account of a check and then the check, in the order of a notification, so that the two never deadlock. */
export async function lockCheckedAccount(tx: Transaction, key: CheckKey): Promise<CheckedAccount | undefined> {
  const found = await findKycCheck(tx, key)
  if (!found) return undefined
  const account = await lockAccount(tx, { tenantId: key.tenantId, accountId: found.accountId })
  const check = await lockKycCheck(tx, key)
  if (!account || !check) throw new Error('the account of a KYC check was not found')
  return { check, account }
}

export async function requireCheckedAccount(tx: Transaction, key: CheckKey): Promise<CheckedAccount> {
  const found = await lockCheckedAccount(tx, key)
  if (!found) throw new ApiError(requestErrors.not_found, 'There is no such KYC check.')
  return found
}

/** Version that a second person confirms: the statuses of the check and the account. */
export const checkedAccountFingerprint: SubjectFingerprint = async ({ tenantId, id }, tx) => {
  const found = await lockCheckedAccount(tx, { tenantId, checkId: id })
  return found ? `${found.check.status} ${found.account[`${found.check.kind}Status`]}` : ''
}

/** Status of a check, for callers that say which status they have seen. */
export const kycCheckDecision: DecidedResource = {
  subject: 'KYC check',
  statuses: kycCheckStatuses,
  statusOf: async ({ params: { checkId = '' } }, { tenantId, tx }) =>
    (await lockCheckedAccount(tx, { tenantId, checkId }))?.check.status ?? null,
}
