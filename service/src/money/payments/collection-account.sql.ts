import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** An account that investors pay to, as an operator entered it for an offering. */
export interface CollectionAccount {
  account_holder: string
  bank: string
  bic: string
  iban: string
  currency: string
}

/** Selects the tenant's collection accounts in a currency, the most recent first. */
export async function selectPayingAccounts(
  tx: Transaction,
  tenantId: string,
  currency: string,
): Promise<CollectionAccount[]> {
  const rows = await tx.rows<{ account: CollectionAccount }>(sql`
    select collection_account as account from cell.offering
    where tenant_id = ${tenantId} and collection_account ->> 'currency' = ${currency}
    order by id desc limit 1000`)
  return rows.map(({ account }) => account)
}
