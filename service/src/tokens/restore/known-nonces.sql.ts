import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { SignerKey } from '../signers/key-backend.ts'

/** The nonces that the database has assigned to chain ops of the signer. */
export async function selectKnownNonces(tx: Transaction, { tenantId, chain }: SignerKey): Promise<Set<number>> {
  const rows = await tx.rows<{ nonce: string }>(sql`
    select nonce from cell.chain_op where tenant_id = ${tenantId} and chain = ${chain} and nonce is not null`)
  return new Set(rows.map(({ nonce }) => Number(nonce)))
}
