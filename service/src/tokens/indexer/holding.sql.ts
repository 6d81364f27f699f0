import { zeroAddress } from 'viem'
import { newRowId } from '../../platform/base/ids.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type BalanceChange, balanceChanges } from './balance.sql.ts'
import type { LogOwner, TokenLog } from './token-log.sql.ts'

/**
 * Adds these transfers, whose logs are marked as applied in this transaction, to the register. Sums do not depend on
 * the order in which blocks are applied. A reorg changes nothing here, since only finalized logs are applied.
 */
export async function applyToHoldings(tx: Transaction, { tenantId }: LogOwner, logs: readonly TokenLog[]) {
  const changes = [...balanceChanges(logs), ...supplyChanges(logs)]
  if (changes.length === 0) return
  await tx.rows(sql`
    insert into cell.holding (tenant_id, offering_id, address, id, units)
    select ${tenantId}::uuid, offering_id, address, id, change
    from unnest(${changes.map(({ offeringId }) => offeringId)}::uuid[],
                ${changes.map(({ address }) => address)}::text[], ${changes.map(() => newRowId())}::uuid[],
                ${changes.map(({ units }) => units)}::numeric[]) as given (offering_id, address, id, change)
    on conflict (tenant_id, offering_id, address) do update set units = holding.units + excluded.units`)
}

/** What mints and burns take from and give to the zero address. */
function supplyChanges(logs: readonly TokenLog[]): BalanceChange[] {
  const changes = new Map<string, bigint>()
  for (const { kind, from, to, offeringId, units } of logs) {
    if (kind !== 'transfer') continue
    const change = (to === zeroAddress ? units : 0n) - (from === null ? units : 0n)
    if (change !== 0n) changes.set(offeringId, (changes.get(offeringId) ?? 0n) + change)
  }
  return [...changes].map(([offeringId, units]) => ({ address: zeroAddress, offeringId, units }))
}
