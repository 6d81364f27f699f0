import type { Static } from 'typebox'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { collectionAccountFailures, defaultTerms, termFailures } from './offering-terms.ts'
import type { NewOffering } from './operator-offering.schema.ts'
import { insertDraft } from './operator-offering.sql.ts'

/** Creates a draft, which only operators see. Throws validation_failed for contradictory terms. */
export async function draftOffering(
  tx: Transaction,
  tenantId: string,
  offering: Static<typeof NewOffering>,
): Promise<string> {
  const terms = { ...defaultTerms, ...offering }
  const failures = [...termFailures(terms), ...collectionAccountFailures(terms.collection_account)]
  if (failures.length > 0) throw validationFailed(failures)
  const offeringId = newRowId()
  await insertDraft(tx, { tenantId, offeringId }, terms)
  return offeringId
}
