import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../accounts/account.errors.ts'
import { recheckOrdersOfAccount } from '../blockers/recheck-orders.ts'
import { eligibilityErrors } from './eligibility.errors.ts'
import { AccountEligibility, AccountEligibilityPath, QuestionnaireAnswers } from './eligibility.schema.ts'
import { answersContext, findAccountRules, upsertAnswers } from './eligibility.sql.ts'
import { readAccountEligibility } from './eligibility.view.ts'
import { type Answers, failuresOfAnswers, outcomeOf } from './questionnaire-outcome.ts'
import { lockAccountForOffering } from './require-account-and-offering.ts'

export const answerQuestionnaire = operation(
  {
    id: 'answerQuestionnaire',
    summary: 'Answer the questionnaire of an offering',
    description:
      'Stores the answers of the investor and returns the outcome. `warned`: send the answers again with ' +
      '`accepts_warning` if the investor wants to buy all the same. `refused` is final for this version. Answers are ' +
      'stored encrypted.',
    tag: 'Eligibility',
    method: 'POST',
    path: '/accounts/:accountId/eligibility/:offeringId/questionnaire',
    scopes: ['account.update'],
    idempotency: 'optional',
    params: AccountEligibilityPath,
    body: QuestionnaireAnswers,
    success: { status: 200, body: AccountEligibility },
    errors: [
      requestErrors.not_found,
      accountErrors.account_erased,
      eligibilityErrors.questionnaire_changed,
      eligibilityErrors.questionnaire_final,
    ],
    isExtension: true,
  },
  async ({ params, body }, { tenantId, tx, vault, now, audit }) => {
    const key = { tenantId, ...params }
    const { id: accountId } = await lockAccountForOffering(tx, key)
    const rules = await findAccountRules(tx, key)
    const { version, accepts_warning: acceptsWarning = false } = body
    const answers = body.answers as Answers
    if (!rules?.questionnaire || rules.questionnaireVersion !== version)
      throw new ApiError(
        eligibilityErrors.questionnaire_changed,
        rules?.questionnaireVersion
          ? `The member version must be ${rules.questionnaireVersion}, the current version of the questionnaire.`
          : 'The offering has no questionnaire.',
      )
    if (rules.outcome === 'refused')
      throw new ApiError(
        eligibilityErrors.questionnaire_final,
        'The investor was refused by earlier answers to this version. Cancel the orders of the account.',
      )
    const failures = failuresOfAnswers(rules.questionnaire, answers)
    if (failures.length > 0) throw validationFailed(failures)
    const outcome = outcomeOf(rules.questionnaire, answers)
    const context = answersContext(params.offeringId.toLowerCase(), accountId, version)
    const sealed = await vault.seal(JSON.stringify(answers), context)
    const isWarningAccepted = outcome === 'warned' && acceptsWarning
    await upsertAnswers(tx, key, { version, answers: sealed, outcome, isWarningAccepted, now })
    await recheckOrdersOfAccount(tx, key)
    audit({
      action: 'account.questionnaire_answered',
      subject: { type: 'account', id: accountId },
      after: { offering_id: key.offeringId, version, outcome, is_warning_accepted: isWarningAccepted },
    })
    return readAccountEligibility(tx, key)
  },
)
