import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const eligibilityErrors = declareErrors({
  document_changed: {
    status: 409,
    cause: 'The hash is not that of the document that the offering requires now.',
    remedy: 'Read the eligibility again, show the investor the current document, and send its hash.',
  },
  questionnaire_changed: {
    status: 409,
    cause: 'The answers are not for the current version of the questionnaire, or the offering has none.',
    remedy: 'Read the eligibility again, and ask the investor the current questions.',
  },
  questionnaire_final: {
    status: 409,
    cause: 'The investor was refused by the answers to this version of the questionnaire, which cannot be changed.',
    remedy: 'Cancel the orders of the investor for this offering.',
  },
})
