import type pg from 'pg'
import type { Address } from 'viem'
import { withoutForcedPolicies } from '../../platform/postgres/restored-database.ts'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { tokenActionKinds } from '../chain-ops/chain-op.ts'
import type { SignerKey } from '../signers/key-backend.ts'

/** A signer of a cell, and the last finalized block that the indexer had applied. */
export interface RestoredSigner extends SignerKey {
  deskAddress: Address
  /** Null if the chain was never indexed. */
  finalized: bigint | null
}

/** Runs with the worker's role. */
export async function selectSigners(cell: pg.Pool): Promise<RestoredSigner[]> {
  const rows = await acrossTenants(cell).rows<Omit<RestoredSigner, 'finalized'> & { finalized: string | null }>(sql`
    select chain_signer.tenant_id as "tenantId", chain_signer.chain, desk_address as "deskAddress",
           chain_cursor.finalized_number as finalized
    from cell.chain_signer left join cell.chain_cursor on chain_cursor.chain = chain_signer.chain
    order by chain_signer.tenant_id, chain_signer.chain`)
  return rows.map((row) => ({ ...row, finalized: row.finalized === null ? null : BigInt(row.finalized) }))
}

export async function selectKnownNonces(tx: Transaction, { tenantId, chain }: SignerKey): Promise<Set<number>> {
  const rows = await tx.rows<{ nonce: string }>(sql`
    select nonce from cell.chain_op where tenant_id = ${tenantId} and chain = ${chain} and nonce is not null`)
  return new Set(rows.map(({ nonce }) => Number(nonce)))
}

/**
 * Cancels token actions that wait for a nonce: they may have been executed after the restored moment, and a burn or a
 * forced transfer would happen twice. Returns them.
 */
export function cancelQueuedActions(
  client: pg.Client,
  ofTenant?: string,
): Promise<{ tenantId: string; opId: string; kind: string }[]> {
  return withoutForcedPolicies(client, ofTenant ? [] : ['cell.chain_op'], async () => {
    const { rows } = await client.query<{ tenantId: string; opId: string; kind: string }>(
      `update cell.chain_op set is_cancelling = true
       where state = 'QUEUED' and kind = any($1) and not is_cancelling and ($2::uuid is null or tenant_id = $2)
       returning tenant_id as "tenantId", id as "opId", kind`,
      [tokenActionKinds, ofTenant],
    )
    return rows
  })
}
