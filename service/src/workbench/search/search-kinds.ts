import { moneySearch } from '../../money/money-search.sql.ts'
import type { SearchKind } from '../../records/search/search-kind.ts'
import { salesSearch } from '../../sales/sales-search.sql.ts'
import { tokensSearch } from '../../tokens/tokens-search.sql.ts'

/** Everything that operators can search, in the order of the results. Each room declares its own kinds. */
export const searchKinds: readonly SearchKind[] = [
  ...salesSearch, //  account, order, wallet, refund
  ...moneySearch, //  payment, unassigned_payment
  ...tokensSearch, // transaction
]
