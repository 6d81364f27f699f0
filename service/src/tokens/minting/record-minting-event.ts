import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'

/** Informs operators that the minting of an offering was stopped or resumed. */
export function recordMintingEvent(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  change: 'stopped' | 'resumed',
): Promise<void> {
  return recordEvent(tx, tenantId, { type: `offering.minting_${change}`, data: { offering_id: offeringId } })
}
