import type pg from 'pg'
import type { ApiRow } from '../../platform/api/declare/api-row.ts'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { SignerKey } from './key-backend.ts'
import type { SignerStatus } from './signer.schema.ts'

/** Selects signers of all tenants that no worker has read since then. Runs with the worker's role. */
export function selectDueSigners(
  cell: pg.Pool,
  { chains, since, limit }: { chains: readonly string[]; since: Date; limit: number },
) {
  return acrossTenants(cell).rows<SignerKey>(sql`
    select chain_signer.tenant_id as "tenantId", chain_signer.chain from cell.chain_signer
    left join cell.signer_status on signer_status.tenant_id = chain_signer.tenant_id
      and signer_status.chain = chain_signer.chain
    where chain_signer.chain = any (${chains}::text[])
      and (signer_status.checked_at is null or signer_status.checked_at < ${since})
    order by signer_status.checked_at nulls first limit ${limit}`)
}

export interface SeenSigner {
  balanceWei: bigint
  nonceLatest: number
  noncePending: number
  isGasLow: boolean
}

/** Stores the status. Returns true if the signer has become low on gas. */
export async function storeSignerStatus(
  tx: Transaction,
  { tenantId, chain }: SignerKey,
  { balanceWei, nonceLatest, noncePending, isGasLow }: SeenSigner,
  now: Date,
): Promise<boolean> {
  const stored = await tx.row<{ lowSince: Date | null }>(sql`
    insert into cell.signer_status (tenant_id, chain, balance_wei, nonce_latest, nonce_pending, gas_low_since,
                                    checked_at)
    values (${tenantId}, ${chain}, ${String(balanceWei)}::numeric, ${nonceLatest}, ${noncePending},
            ${isGasLow ? now : null}, ${now})
    on conflict (tenant_id, chain) do update
      set balance_wei = excluded.balance_wei, nonce_latest = excluded.nonce_latest,
          nonce_pending = excluded.nonce_pending, checked_at = excluded.checked_at,
          gas_low_since = case when excluded.gas_low_since is not null
            then coalesce(signer_status.gas_low_since, excluded.gas_low_since) end
    returning gas_low_since as "lowSince"`)
  return stored?.lowSince?.getTime() === now.getTime()
}

export type SignerStatusRow = Omit<ApiRow<typeof SignerStatus, 'checked_at'>, 'days_left'>

export function selectSignerStatuses(tx: Transaction, tenantId: string, now: Date) {
  return tx.rows<SignerStatusRow>(sql`
    select chain_signer.chain, chain_signer.address, chain_signer.key_backend, chain_signer.desk_address,
           chain_signer.admin_address, chain_signer.next_nonce::float8 as next_nonce,
           signer_status.balance_wei::text as balance_wei, signer_status.nonce_latest::float8 as nonce_latest,
           signer_status.nonce_pending::float8 as nonce_pending, signer_status.checked_at,
           (select coalesce(sum(gas_day.spent_wei), 0)::text from cell.gas_day
            where gas_day.tenant_id = ${tenantId} and gas_day.chain = chain_signer.chain
              and gas_day.day > (${now}::timestamptz at time zone 'utc')::date - 7) as spent_wei_7_days
    from cell.chain_signer
    left join cell.signer_status on signer_status.tenant_id = ${tenantId} and signer_status.chain = chain_signer.chain
    where chain_signer.tenant_id = ${tenantId}
    order by chain_signer.chain limit 100`)
}
