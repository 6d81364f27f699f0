import type { Schemas } from '../api/client.ts'

type BlockerCode = Schemas['Blocker']['code']

/** An action of the order; one of its investor or its offering; or a page to open. */
export type Remedy =
  | ('accept' | 'record' | 'late' | 'release' | 'extend')
  | ('approve' | 'addPerson' | 'resumeMinting')
  | ('openInvestor' | 'openOffering')

/** Remedies of each blocker for operators. Buttons, bulk actions and the filter of the list follow this table. */
const remedies: Readonly<Record<BlockerCode, readonly Remedy[]>> = {
  payment_missing: ['record', 'extend'],
  payment_overdue: ['extend', 'late'],
  approval_missing: ['openInvestor', 'approve'],
  benefiting_person_missing: ['openInvestor', 'addPerson'],
  wallet_missing: ['openInvestor'],
  acceptance_missing: ['accept'],
  country_not_allowed: [],
  account_type_not_allowed: [],
  investor_limit_exceeded: [],
  account_not_invited: [],
  document_not_accepted: [],
  questionnaire_missing: [],
  questionnaire_refused: [],
  soft_cap_missing: ['openOffering'],
  token_missing: ['openOffering'],
  token_unreadable: ['openOffering'],
  minting_stopped: ['openOffering', 'resumeMinting'],
  mint_on_hold: ['release'],
}

export const blockerCodes = Object.keys(remedies)

/** Returns the remedies of a blocker: none if the API is newer than this page, and its code unknown. */
export function remediesOf({ code }: { readonly code: BlockerCode }): readonly Remedy[] {
  const known: Partial<typeof remedies> = remedies
  return known[code] ?? []
}

/** Returns true if the remedy removes a blocker of the order. */
export function canRemedy({ blockers }: Schemas['OperatorOrder'], remedy: Remedy): boolean {
  return blockers.some((blocker) => remediesOf(blocker).includes(remedy))
}
