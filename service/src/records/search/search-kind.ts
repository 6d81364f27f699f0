import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import type { SubjectTerms } from './search-term.sql.ts'

/** Something that operators search. Each room declares its own; workbench/search/search-kinds.ts lists all. */
export interface SearchKind {
  readonly kind: string
  /** True if its terms include hashes under the tenant's data key, which a rotation changes. */
  readonly hasBlindTerms: boolean
  /** Returns the texts to show for the subjects with these ids. */
  readonly find: (tx: Transaction, tenantId: string, ids: readonly string[]) => Promise<FoundSubject[]>
  /**
   * Returns the terms of up to `limit` subjects with ids after `after`, in the order of their ids, to write all terms
   * again. Locks the subjects, so that a change waits until their terms are written.
   */
  readonly termsAfter: (
    context: { readonly tenantId: string; readonly tx: Transaction; readonly vault: Vault },
    after: string,
    limit: number,
  ) => Promise<SubjectTerms[]>
}

export interface FoundSubject {
  readonly id: string
  /** Name by which a person recognizes it. */
  readonly name: string
  /** Further text beside the name, such as a state. */
  readonly detail: string
  /** The account, order or offering that it belongs to. */
  readonly accountId: string | null
  readonly orderId: string | null
}
