import { createHash } from 'node:crypto'
import { fingerprintOfParts, type SubjectFingerprint } from '../../platform/api/declare/approval.ts'
import { selectDocumentHashes } from '../documents/document.sql.ts'
import { findRules, selectRequiredDocuments } from '../eligibility/eligibility.sql.ts'
import { lockOffering } from '../offerings/operator/operator-offering.sql.ts'
import { viewOperatorOffering } from '../offerings/operator/operator-offering.view.ts'

/**
 * Fingerprint of everything that opens with an offering. It locks the row, so changes of terms, account, rules and
 * documents wait.
 */
export const openingFingerprint: SubjectFingerprint = async ({ tenantId, id }, tx) => {
  const key = { tenantId, offeringId: id }
  const offering = await lockOffering(tx, key)
  if (!offering) return ''
  const { collection_account: account, ...terms } = viewOperatorOffering(offering)
  const [rules, required, documents] = await tx.batch(
    (tx) => findRules(tx, key),
    (tx) => selectRequiredDocuments(tx, key),
    (tx) => selectDocumentHashes(tx, tenantId, { type: 'offering', id }),
  )
  return fingerprintOfParts({
    terms: hashOf(terms),
    'collection account': hashOf(account),
    'eligibility rules': hashOf([rules, required]),
    documents: hashOf(documents),
  })
}

function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
}
