import { createHash } from 'node:crypto'
import { isUuid, newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { AuditTrail } from '../../records/audit/audit-trail.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { lockAccount } from '../accounts/account.sql.ts'
import { applyKycCheck } from './apply-kyc-check.ts'
import { findCheckByReference, findKnownDecisions, insertKycCheck, outdateQueuedChecks } from './kyc-check.sql.ts'
import { kycDetailsContext } from './kyc-check.view.ts'
import { type KycCheckStatus, statusOfNewCheck } from './kyc-check-status.ts'
import type { SendingKycProvider } from './kyc-provider-type.ts'
import type { KycResult } from './kyc-result.ts'
import { whyNotCounting } from './why-not-counting.ts'

const dayMs = 86_400_000

type KycReporter = Pick<
  SendingKycProvider,
  'tenantId' | 'id' | 'kind' | 'approvals' | 'validityDays' | 'kycLevels' | 'kybLevels'
>

export interface KycRecording {
  readonly tx: Transaction
  readonly vault: Vault
  readonly now: Date
}

/**
 * Stores a result that a provider reported, and applies it if that is allowed. A result counts once by provider and
 * reference. Locks the account first, so that concurrent notifications about it are decided one after the other.
 */
export async function recordKycCheck(
  { tx, vault, now }: KycRecording,
  sender: KycReporter,
  result: KycResult,
  notification: object,
): Promise<KycCheckStatus | 'unknown_account'> {
  const { tenantId, id: providerId } = sender
  const account = isUuid(result.accountId)
    ? await lockAccount(tx, { tenantId, accountId: result.accountId })
    : undefined
  const referenceHash = createHash('sha256').update(result.reference).digest('hex')
  const known = await findCheckByReference(tx, { tenantId, providerId, referenceHash })
  if (known) return known.status
  // Nothing may add personal data to an erased account.
  if (!account || account.erasedAt) return 'unknown_account'
  const kind = account.type === 'COMPANY' ? 'kyb' : 'kyc'
  const validUntil = validityOf(result, sender)
  const decisions = await findKnownDecisions(
    tx,
    { tenantId, accountId: account.id },
    {
      kind,
      accountStatus: account[`${kind}Status`],
    },
  )
  const heldBecause = whyNotCounting(kind, result, sender)
  const approvals = heldBecause ? 'queue' : sender.approvals
  const status = statusOfNewCheck({ ...result, validUntil }, decisions, { approvals, now })
  const id = newRowId()
  const { accountId, outcome, isFinal, decidedAt, level, applicantType } = result
  const received = { receivedAt: now, validUntil, level, applicantType, heldBecause }
  const check = { id, providerId, accountId, kind, outcome, isFinal, decidedAt, ...received } as const
  const details = await vault.seal(JSON.stringify(notification), kycDetailsContext(id))
  const isNew = await insertKycCheck(tx, tenantId, { ...check, referenceHash, status, statusChangedAt: now, details })
  // A concurrent notification had the same reference for another account.
  if (!isNew) return 'outdated'
  const trail = new AuditTrail({ type: 'system', id: null, requestId: null })
  // A held approval replaces nothing: otherwise a check of a phone number would take a rejection from the queue.
  if (status === 'queued' && !heldBecause) await outdateQueuedChecks(tx, tenantId, check, { now, keepsFinal: true })
  if (status === 'applied') await applyKycCheck({ tenantId, tx, audit: trail.add, now }, account, check)
  const data = { check_id: id, account_id: accountId, provider_id: providerId, kind, outcome, status }
  await recordEvent(tx, tenantId, { type: 'kyc_check.received', data })
  await trail.write(tx)
  return status
}

/** Returns the earlier of the provider's end of validity and the tenant's limit; null if there is neither. */
function validityOf({ outcome, decidedAt, validUntil }: KycResult, { validityDays }: KycReporter): Date | null {
  if (outcome !== 'approved') return null
  const longest = validityDays === null ? null : new Date(decidedAt.getTime() + validityDays * dayMs)
  if (!longest || !validUntil) return longest ?? validUntil
  return longest < validUntil ? longest : validUntil
}
