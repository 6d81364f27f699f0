import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { recordEvent } from '../../../records/events/event.sql.ts'
import type { OfferingKey } from '../offering.sql.ts'

/** Records that an offering was closed for good or paused: integrators see both as CLOSED. */
export async function recordSaleEnd(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<void> {
  const data = { offering_id: offeringId, status: 'CLOSED', previous_status: 'OPEN' }
  await recordEvent(tx, tenantId, { type: 'offering.closed', data })
}

export async function recordSaleStart(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  previousStatus: 'DRAFT' | 'CLOSED',
): Promise<void> {
  const data = { offering_id: offeringId, status: 'OPEN', previous_status: previousStatus }
  await recordEvent(tx, tenantId, { type: 'offering.opened', data })
}
