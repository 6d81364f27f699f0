import { openedOrUndefined, type Vault } from '../../platform/postgres/vault.ts'
import type { SubjectTerms } from '../../records/search/search-term.sql.ts'
import { ibanTerm, wholeTerm, wordsOf } from '../../records/search/search-terms.ts'
import type { AccountRow } from './account.sql.ts'
import { decryptBankAccount } from './account.view.ts'

/** Returns the terms that find an account: the words of its name, its e-mail address, and its IBAN as a keyed hash. */
export async function accountTerms(
  account: Pick<AccountRow, 'id' | 'type' | 'email' | 'profile' | 'bankAccount'>,
  vault: Vault,
): Promise<SubjectTerms> {
  const bankAccount = await openedOrUndefined(decryptBankAccount(account, vault))
  return termsOfAccount(account, bankAccount?.iban, vault)
}

/** Returns the terms of an account whose IBAN is known already. */
export async function termsOfAccount(
  { id, type, email, profile }: Pick<AccountRow, 'id' | 'type' | 'email' | 'profile'>,
  iban: string | undefined,
  vault: Vault,
): Promise<SubjectTerms> {
  const name = type === 'COMPANY' ? profile['name'] : `${profile['firstName']} ${profile['lastName']}`
  const terms = [...wordsOf(name ?? ''), ...wholeTerm(email), ...(await ibanTerm(vault, iban))]
  return { kind: 'account', subjectId: id, terms }
}
