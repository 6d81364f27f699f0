import type { Static } from 'typebox'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { contradictionsOf, standardTerms } from './offering-terms.ts'
import type { NewOffering } from './operator-offering.schema.ts'
import { insertDraft } from './operator-offering.sql.ts'

/** A new offering that only operators see. Throws what is wrong with its terms. */
export async function draftOffering(
  tx: Transaction,
  tenantId: string,
  wanted: Static<typeof NewOffering>,
): Promise<string> {
  const terms = { ...standardTerms, ...wanted }
  const contradictions = contradictionsOf(terms)
  if (contradictions.length > 0) throw validationFailed(contradictions)
  const offeringId = newRowId()
  await insertDraft(tx, { tenantId, offeringId }, terms)
  return offeringId
}
