import { type Address, zeroAddress } from 'viem'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { LogOwner, TokenLog } from '../logs/token-log.sql.ts'

/**
 * Sets the balances of the wallets in these transfers to their units in the register, which already contains the
 * transfers. The register has all transfers of an address, even from before it was registered as a wallet. Its units
 * are negative if the logs of an attached token say that a wallet has sent more than it received. Then the last
 * possible balance stays until the units are possible again.
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
      select wallet.id as wallet_id, wallet.account_id, given.offering_id, holding.units
      from unnest(${changes.map(({ address }) => address)}::text[],
                  ${changes.map(({ offeringId }) => offeringId)}::uuid[]) as given (address, offering_id)
      join cell.wallet on wallet.tenant_id = ${tenantId} and wallet.blockchain = ${chain}
        and wallet.public_address = given.address
      join cell.holding on holding.tenant_id = ${tenantId} and holding.offering_id = given.offering_id
        and holding.address = given.address and holding.units >= 0
    ), updated as (
      update cell.wallet_balance set balance = changed.units
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
           added.units
    from added join counted on counted.id = added.account_id`)
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
