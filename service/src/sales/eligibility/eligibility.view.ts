import type { Static } from 'typebox'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { ineligibilities } from '../blockers/ineligibility.sql.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import type { AccountEligibility, EligibilityRules } from './eligibility.schema.ts'
import {
  type EligibilityKey,
  findAccountRules,
  findRules,
  type RequiredDocumentRow,
  selectDocumentsToAccept,
  selectRequiredDocuments,
} from './eligibility.sql.ts'
import { ineligibilityTexts } from './ineligibility-texts.ts'

const viewDocument = ({ id, kind, sha256, version }: RequiredDocumentRow) => ({
  id,
  kind,
  sha256: sha256.toString('hex'),
  version,
})

/** Reads the rules of an offering. If it has none, returns rules that exclude nobody. */
export async function readRules(tx: Transaction, key: OfferingKey): Promise<Static<typeof EligibilityRules>> {
  const [rules, documents] = await tx.batch(
    (tx) => findRules(tx, key),
    (tx) => selectRequiredDocuments(tx, key),
  )
  return {
    version: rules?.version ?? 0,
    allowed_countries: rules?.allowedCountries ?? null,
    refused_countries: rules?.refusedCountries ?? [],
    account_types: rules?.accountTypes ?? null,
    investor_max_amount: rules?.investorMaxAmount ?? null,
    is_invited_only: rules?.isInvitedOnly ?? false,
    documents: documents.map(viewDocument),
    questionnaire: rules?.questionnaire ?? null,
  }
}

/** Reads what the account still has to do. Account and offering must exist. */
export async function readAccountEligibility(
  tx: Transaction,
  key: EligibilityKey,
): Promise<Static<typeof AccountEligibility>> {
  const [rules, documents] = await tx.batch(
    (tx) => findAccountRules(tx, key),
    (tx) => selectDocumentsToAccept(tx, key),
  )
  const found = new Set(rules?.ineligibility)
  const blockers = ineligibilities
    .filter((code) => found.has(code))
    .map((code) => ({ code, ...ineligibilityTexts[code] }))
  return {
    account_id: key.accountId,
    offering_id: key.offeringId,
    is_eligible: blockers.length === 0,
    blockers,
    investor_max_amount: rules?.investorMaxAmount ?? null,
    documents: documents.map(({ acceptedAt, ...document }) => ({
      ...viewDocument(document),
      accepted_at: acceptedAt?.toISOString() ?? null,
    })),
    questionnaire:
      rules?.questionnaire && rules.questionnaireVersion
        ? {
            version: rules.questionnaireVersion,
            schema: rules.questionnaire.schema,
            outcome: rules.outcome,
            is_warning_accepted: rules.isWarningAccepted ?? false,
            answered_at: rules.answeredAt?.toISOString() ?? null,
          }
        : null,
  }
}
