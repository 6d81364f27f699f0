import type { Static } from 'typebox'
import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { KycCheck } from './kyc-check.schema.ts'
import { findNamedKycCheck, setKycCheckStatus } from './kyc-check.sql.ts'
import { viewKycCheck } from './kyc-check.view.ts'
import { kycProviderErrors } from './kyc-provider.errors.ts'
import { type CheckedAccount, requireCheckedAccount } from './lock-checked-account.ts'

type Context = Pick<TenantContext, 'tenantId' | 'tx' | 'audit' | 'now'>

/** Decides a queued check. Changes nothing if it already has this status. */
export async function decideKycCheck(
  { tenantId, tx, audit, now }: Context,
  checkId: string,
  { status, reason }: { status: 'applied' | 'dismissed'; reason: string },
  effect: (found: CheckedAccount) => Promise<void>,
): Promise<Static<typeof KycCheck>> {
  const key = { tenantId, checkId }
  const found = await requireCheckedAccount(tx, key)
  const { check } = found
  if (check.status === status) audit('nothing changed')
  else if (check.status !== 'queued')
    throw new ApiError(
      kycProviderErrors.kyc_check_not_queued,
      `The KYC check is already ${check.status}. To change the account nevertheless, decide about the account.`,
    )
  else {
    await setKycCheckStatus(tx, key, { status, now })
    await effect(found)
    const { accountId, providerId, kind, outcome } = check
    const data = { check_id: checkId, account_id: accountId, provider_id: providerId, kind, outcome, status }
    await recordEvent(tx, tenantId, { type: 'kyc_check.decided', data })
    audit({
      action: `kyc_check.${status}`,
      subject: { type: 'kyc_check', id: checkId },
      before: { status: check.status },
      after: { status, account_id: accountId, outcome, reason },
    })
  }
  const decided = await findNamedKycCheck(tx, key)
  if (!decided) throw new Error('the locked KYC check was not found')
  return viewKycCheck(decided)
}
