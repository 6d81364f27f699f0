import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import type { SubjectTerms } from './search-term.sql.ts'

/** Something that operators search. Each wing declares its own; combined/search/search-kinds.ts lists all. */
export interface SearchKind {
  readonly kind: string
  /** Whether its terms include hashes under the tenant's data key, which a rotation changes. */
  readonly hasBlindTerms: boolean
  /** What is shown of the subjects with these ids. */
  readonly find: (tx: Transaction, tenantId: string, ids: readonly string[]) => Promise<FoundSubject[]>
  /**
   * The terms of up to `limit` subjects with ids after `after`, in the order of their ids, to write all terms again.
   * Locks the subjects, so that a change waits until their terms are written.
   */
  readonly termsAfter: (
    context: { readonly tenantId: string; readonly tx: Transaction; readonly vault: Vault },
    after: string,
    limit: number,
  ) => Promise<SubjectTerms[]>
}

export interface FoundSubject {
  readonly id: string
  /** What a person recognizes it by. */
  readonly name: string
  /** Further text beside the name, such as a state. */
  readonly detail: string
  /** The account, order or offering that it belongs to. */
  readonly accountId: string | null
  readonly orderId: string | null
}
