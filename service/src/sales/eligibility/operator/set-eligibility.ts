import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { SubjectFingerprint } from '../../../platform/api/declare/approval.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { recheckOrdersOfOffering } from '../../blockers/recheck-orders.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import type { OfferingKey } from '../../offerings/offering.sql.ts'
import { isNoLongerDraft, lockOffering } from '../../offerings/operator/operator-offering.sql.ts'
import { EligibilityRules, NewEligibilityRules, newRulesExamples } from '../eligibility.schema.ts'
import { findRules, insertQuestionnaire, replaceRequiredDocuments, upsertRules } from '../eligibility.sql.ts'
import { readRules } from '../eligibility.view.ts'
import { readDefinition } from '../questionnaire-outcome.ts'

export const setEligibility = operatorOperation(
  {
    id: 'setEligibility',
    summary: 'Decide who may buy an offering',
    description:
      'Replaces all rules of the offering. Orders are still accepted from everyone; one that does not meet the rules ' +
      'waits with a blocker that says which. Existing orders are checked again after the response, also those that ' +
      'are ready to be minted. Once the offering is no longer a draft, it may need a second person.',
    tag: 'Offerings',
    method: 'POST',
    path: '/offerings/:offeringId/eligibility',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'policy',
    idempotency: 'optional',
    params: OfferingPath,
    body: NewEligibilityRules,
    bodyExamples: newRulesExamples,
    success: { status: 200, body: EligibilityRules },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    found(await lockOffering(tx, key), 'There is no such offering.')
    const before = await readRules(tx, key)
    await storeRules(tx, key, body)
    const after = await readRules(tx, key)
    await recheckOrdersOfOffering(tx, key, 'apply-eligibility')
    audit({
      action: 'offering.eligibility_changed',
      subject: { type: 'offering', id: params.offeringId },
      before: summaryOf(before),
      after: { ...summaryOf(after), reason: body.reason },
    })
    return after
  },
  {
    policy: 'offering_opening',
    subject: 'offering',
    isNeeded: ({ params }, { tenantId, tx }) => isNoLongerDraft(tx, { tenantId, ...params }),
    fingerprint: eligibilityVersion,
  },
)

/** Returns the version of the rules: a confirmation is rejected if they have changed since the proposal. */
async function eligibilityVersion(...[{ tenantId, id }, tx]: Parameters<SubjectFingerprint>): Promise<string> {
  const key = { tenantId, offeringId: id }
  await lockOffering(tx, key)
  return String((await findRules(tx, key))?.version ?? 0)
}

/** Stores the rules. An unchanged questionnaire keeps its version, and so its answers. */
async function storeRules(tx: Transaction, key: OfferingKey, body: Static<typeof NewEligibilityRules>): Promise<void> {
  const known = await findRules(tx, key)
  const version = (known?.version ?? 0) + 1
  const definition = body.questionnaire && readDefinition(body.questionnaire)
  const isSame = isDeepStrictEqual(known?.questionnaire ?? null, definition)
  const questionnaireVersion = isSame ? (known?.questionnaireVersion ?? null) : definition ? version : null
  await upsertRules(tx, key, {
    version,
    allowedCountries: body.allowed_countries,
    refusedCountries: body.refused_countries,
    accountTypes: body.account_types,
    investorMaxAmount: body.investor_max_amount,
    isInvitedOnly: body.is_invited_only,
    questionnaireVersion,
  })
  if (definition && !isSame) await insertQuestionnaire(tx, key, { version, definition })
  const documentIds = body.document_ids.map((id) => id.toLowerCase())
  const count = await replaceRequiredDocuments(tx, key, { documentIds, version })
  if (count < documentIds.length)
    throw validationFailed([
      { detail: 'The member document_ids must have ids of documents of this offering.', pointer: '/document_ids' },
    ])
}

function summaryOf({ questionnaire, documents, ...rules }: Static<typeof EligibilityRules>) {
  return { ...rules, document_ids: documents.map(({ id }) => id), has_questionnaire: questionnaire !== null }
}
