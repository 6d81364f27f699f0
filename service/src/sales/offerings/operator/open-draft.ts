import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { offeringErrors } from '../offering.errors.ts'
import type { OfferingKey } from '../offering.sql.ts'
import { recordSaleStart } from './offering-events.ts'
import { openingBlocker } from './offering-terms.ts'
import { lockOffering, openLockedDraft } from './operator-offering.sql.ts'
import { termsOf } from './operator-offering.view.ts'

/** Makes a draft visible to integrators. From then on, changing its terms takes two persons. */
export async function openDraft(tx: Transaction, key: OfferingKey, now: Date): Promise<'opened' | 'already open'> {
  const offering = found(await lockOffering(tx, key), 'There is no such offering.')
  if (offering.status === 'OPEN') return 'already open'
  if (offering.status === 'CLOSED')
    throw new ApiError(
      offeringErrors.offering_not_draft,
      'The offering is closed. A closed offering cannot be opened again.',
    )
  if (offering.status === 'PAUSED')
    throw new ApiError(
      offeringErrors.offering_not_draft,
      'The offering is paused. Resume it with POST /offerings/{offeringId}/resume.',
    )
  const blocker = openingBlocker(termsOf(offering))
  if (blocker !== undefined) throw new ApiError(offeringErrors.offering_incomplete, blocker)
  const { attachedTokenAddress, tokenAddress, tokenRejection } = offering
  if (attachedTokenAddress !== null && tokenAddress === null)
    throw new ApiError(
      offeringErrors.offering_incomplete,
      `The attached token ${attachedTokenAddress} cannot be used: ${tokenRejection ?? 'not checked yet'}.`,
    )
  await openLockedDraft(tx, key, now)
  await recordSaleStart(tx, key, 'DRAFT')
  return 'opened'
}
