import { sql } from '../platform/postgres/sql.ts'
import type { FoundSubject, SearchKind } from '../records/search/search-kind.ts'
import { transactionTerms } from './indexer/apply-logs.ts'

const transaction: SearchKind = {
  kind: 'transaction',
  hasBlindTerms: false,
  find: (tx, tenantId, ids) =>
    tx.rows<FoundSubject>(sql`
      select token_transaction.id, token_transaction.transaction_hash as name,
             concat_ws(' ', account.full_name, token_transaction.transaction_type, token_transaction.status) as detail,
             token_transaction.account_id as "accountId", null::uuid as "orderId"
      from cell.token_transaction
      join cell.account
        on account.tenant_id = token_transaction.tenant_id and account.id = token_transaction.account_id
      where token_transaction.tenant_id = ${tenantId} and token_transaction.id = any (${ids}::uuid[])`),
  // The rows are locked, because a reorg deletes transactions.
  termsAfter: async ({ tx, tenantId }, after, limit) => {
    const rows = await tx.rows<{ id: string; hash: string }>(sql`
      select id, transaction_hash as hash from cell.token_transaction
      where tenant_id = ${tenantId} and id > ${after}::uuid order by id limit ${limit}::bigint for share`)
    return rows.map(transactionTerms)
  },
}

/** Records of the room tokens that operators can search. */
export const tokensSearch: readonly SearchKind[] = [transaction]
