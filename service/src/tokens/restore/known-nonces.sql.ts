import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { SignerKey } from '../signers/key-backend.ts'

export async function selectKnownNonces(tx: Transaction, { tenantId, chain }: SignerKey): Promise<Set<number>> {
  const rows = await tx.rows<{ nonce: string }>(sql`
    select nonce from cell.chain_op where tenant_id = ${tenantId} and chain = ${chain} and nonce is not null`)
  return new Set(rows.map(({ nonce }) => Number(nonce)))
}
