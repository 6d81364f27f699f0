import type { Ineligibility } from '../blockers/ineligibility.sql.ts'

/** Texts for operators and integrators about each blocker that the rules of an offering cause. */
export const ineligibilityTexts: Readonly<
  Record<Ineligibility, { readonly message: string; readonly remedy: string }>
> = {
  country_not_allowed: {
    message: 'The offering is not sold to investors in the country of the account.',
    remedy: 'Cancel the order, or change the countries of the offering if its prospectus permits it.',
  },
  account_type_not_allowed: {
    message: 'The offering is not sold to this kind of investor.',
    remedy: 'Cancel the order, or change the kinds of investors of the offering.',
  },
  investor_limit_exceeded: {
    message: 'The orders of the account exceed the largest sum for one investor.',
    remedy: 'Cancel this order or an earlier one of the account, or raise the sum for one investor.',
  },
  account_not_invited: {
    message: 'The offering is sold to invited accounts only, and the account is not invited.',
    remedy: 'Invite the account, or cancel the order.',
  },
  document_not_accepted: {
    message: 'The account has not accepted all documents of the offering.',
    remedy: 'Have the integrator show the investor the documents, and accept each of them.',
  },
  questionnaire_missing: {
    message: 'The questionnaire of the offering is not answered, or its warning is not accepted.',
    remedy: 'Have the integrator send the answers of the investor, who must accept a warning.',
  },
  questionnaire_refused: {
    message: 'The offering is not appropriate for the investor by the answers to its questionnaire.',
    remedy: 'Cancel the order. A new version of the questionnaire can be answered again.',
  },
}
