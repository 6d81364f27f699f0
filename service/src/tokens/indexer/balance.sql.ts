import { type Address, zeroAddress } from 'viem'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { LogOwner, TokenLog } from './token-log.sql.ts'

/**
 * Adds these transfers, whose logs are marked as applied, to the balances. A new balance is the sum of all transfers of
 * the address, because it may have held tokens before it was registered as a wallet.
 */
export async function applyToBalances(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  logs: readonly TokenLog[],
): Promise<void> {
  const changes = balanceChanges(logs)
  if (changes.length === 0) return
  await tx.rows(sql`
    with changed as (
      select wallet.id as wallet_id, wallet.account_id, given.offering_id, given.address, given.change
      from unnest(${changes.map(({ address }) => address)}::text[],
                  ${changes.map(({ offeringId }) => offeringId)}::uuid[],
                  ${changes.map(({ units }) => units)}::numeric[]) as given (address, offering_id, change)
      join cell.wallet on wallet.tenant_id = ${tenantId} and wallet.blockchain = ${chain}
        and wallet.public_address = given.address
    ), updated as (
      update cell.wallet_balance set balance = wallet_balance.balance + changed.change
      from changed
      where wallet_balance.tenant_id = ${tenantId} and wallet_balance.wallet_id = changed.wallet_id
        and wallet_balance.offering_id = changed.offering_id
      returning wallet_balance.wallet_id, wallet_balance.offering_id
    ), added as (
      select changed.*, row_number() over (partition by account_id order by wallet_id, offering_id) - 1 as index
      from changed
      where not exists (
        select from updated where updated.wallet_id = changed.wallet_id and updated.offering_id = changed.offering_id
      )
    ), counted as (
      update cell.account set balance_count = balance_count + per_account.many
      from (select account_id, count(*) as many from added group by account_id) per_account
      where account.tenant_id = ${tenantId} and account.id = per_account.account_id
      returning account.id, account.balance_count - per_account.many as base
    )
    insert into cell.wallet_balance (tenant_id, wallet_id, offering_id, account_id, position, balance)
    select ${tenantId}::uuid, added.wallet_id, added.offering_id, added.account_id, counted.base + added.index,
           received.units - sent.units
    from added join counted on counted.id = added.account_id
    cross join lateral (
      select coalesce(sum(token_log.units), 0) as units from cell.token_log
      where token_log.tenant_id = ${tenantId} and token_log.offering_id = added.offering_id
        and token_log.to_address = added.address and kind = 'transfer' and applied_at is not null
    ) received
    cross join lateral (
      select coalesce(sum(token_log.units), 0) as units from cell.token_log
      where token_log.tenant_id = ${tenantId} and token_log.offering_id = added.offering_id
        and token_log.from_address = added.address and kind = 'transfer' and applied_at is not null
    ) sent`)
}

export interface BalanceChange {
  address: Address
  offeringId: string
  units: bigint
}

/** Sums the transfers per address first, so that no balance is negative in between. */
export function balanceChanges(logs: readonly TokenLog[]): BalanceChange[] {
  const changes = new Map<string, BalanceChange>()
  const add = (address: Address, offeringId: string, units: bigint) => {
    const key = `${address} ${offeringId}`
    const change = changes.get(key) ?? { address, offeringId, units: 0n }
    change.units += units
    changes.set(key, change)
  }
  for (const { kind, from, to, offeringId, units } of logs) {
    if (kind !== 'transfer') continue
    if (from) add(from, offeringId, -units)
    if (to !== zeroAddress) add(to, offeringId, units)
  }
  return [...changes.values()]
}
