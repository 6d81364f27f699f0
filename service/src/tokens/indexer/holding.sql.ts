import { zeroAddress } from 'viem'
import { newRowId } from '../../platform/base/ids.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { LogOwner, TokenLog } from '../logs/token-log.sql.ts'
import { type BalanceChange, balanceChanges } from './balance.sql.ts'

/**
 * Adds these transfers, whose logs are marked as applied in this transaction, to the register. Sums do not depend on
 * the order in which blocks are applied. A reorg changes nothing here, since only finalized logs are applied.
 *
 * The logs of an attached token may say anything, and must not fail the statement: the chain of all tenants would stop.
 * Returns the entries that no real token can have.
 */
export async function applyToHoldings(
  tx: Transaction,
  { tenantId }: LogOwner,
  logs: readonly TokenLog[],
): Promise<Holding[]> {
  const changes = [...balanceChanges(logs), ...supplyChanges(logs)]
  if (changes.length === 0) return []
  return tx.rows<Holding>(sql`
    with applied as (
      insert into cell.holding (tenant_id, offering_id, address, id, units)
      select ${tenantId}::uuid, offering_id, address, id, ${bounded(sql`change`)}
      from unnest(${changes.map(({ offeringId }) => offeringId)}::uuid[],
                  ${changes.map(({ address }) => address)}::text[], ${changes.map(() => newRowId())}::uuid[],
                  ${changes.map(({ units }) => units)}::numeric[]) as given (offering_id, address, id, change)
      on conflict (tenant_id, offering_id, address)
      do update set units = ${bounded(sql`holding.units + excluded.units`)}
      returning offering_id, address, units
    )
    select offering_id as "offeringId", address from applied
    where (units < 0 and address <> ${zeroAddress}) or abs(units) = ${sumMax}::numeric`)
}

/** An address in the register of an offering. */
type Holding = Pick<BalanceChange, 'address' | 'offeringId'>

// Largest value that the column can store: more than eight times a uint256.
const sumMax = String(10n ** 78n - 1n)

function bounded(sum: Sql): Sql {
  return sql`greatest(least(${sum}, ${sumMax}::numeric), -${sumMax}::numeric)`
}

/** Selects the offerings among these where the address is a wallet, and no operator knows of a difference yet. */
export async function selectImpossibleTokens(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  holdings: readonly Holding[],
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select distinct offering.id
    from unnest(${holdings.map(({ offeringId }) => offeringId)}::uuid[],
                ${holdings.map(({ address }) => address)}::text[]) as given (offering_id, address)
    join cell.wallet on wallet.tenant_id = ${tenantId} and wallet.blockchain = ${chain}
      and wallet.public_address = given.address
    join cell.offering on offering.tenant_id = ${tenantId} and offering.id = given.offering_id
      and offering.minting_stopped is null and offering.accepted_difference is null
    order by offering.id`)
  return rows.map(({ id }) => id)
}

/** Sums the units that mints take from the zero address and burns give to it. */
function supplyChanges(logs: readonly TokenLog[]): BalanceChange[] {
  const changes = new Map<string, bigint>()
  for (const { kind, from, to, offeringId, units } of logs) {
    if (kind !== 'transfer') continue
    const change = (to === zeroAddress ? units : 0n) - (from === null ? units : 0n)
    if (change !== 0n) changes.set(offeringId, (changes.get(offeringId) ?? 0n) + change)
  }
  return [...changes].map(([offeringId, units]) => ({ address: zeroAddress, offeringId, units }))
}
