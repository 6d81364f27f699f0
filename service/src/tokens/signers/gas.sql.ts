import type { Static } from 'typebox'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { SignerKey } from './key-backend.ts'
import type { GasDay } from './signer.schema.ts'

/** Adds the cost of a transaction of the signer. Commits with the end of its op, so that each counts once. */
export async function addGas(
  tx: Transaction,
  { tenantId, chain }: SignerKey,
  { spentWei, now }: { spentWei: bigint; now: Date },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.gas_day (tenant_id, chain, day, spent_wei, transaction_count)
    values (${tenantId}, ${chain}, (${now}::timestamptz at time zone 'utc')::date, ${String(spentWei)}::numeric, 1)
    on conflict (tenant_id, chain, day) do update
      set spent_wei = gas_day.spent_wei + excluded.spent_wei, transaction_count = gas_day.transaction_count + 1`)
}

/** Selects days, newest first. Days without transactions have no row. */
export function selectGasDays(tx: Transaction, tenantId: string, { now, days }: { now: Date; days: number }) {
  return tx.rows<Static<typeof GasDay>>(sql`
    select chain, day::text as day, spent_wei::text as spent_wei, transaction_count
    from cell.gas_day where tenant_id = ${tenantId}
      and day > (${now}::timestamptz at time zone 'utc')::date - ${days}::integer
    order by day desc, chain`)
}
