import type pg from 'pg'
import type { Address } from 'viem'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { MintableOffering } from '../minting/mint-orders.sql.ts'

/** Tokens of all tenants whose history the indexer has read, so that its figures are whole. As the worker's role. */
export async function listReconcilable(
  cell: pg.Pool,
  chains: string[],
  after: string,
  limit: number,
): Promise<MintableOffering[]> {
  const { rows } = await cell.query<MintableOffering>({
    name: 'reconcilable-offerings',
    text: `select offering.tenant_id as "tenantId", offering.id as "offeringId" from cell.offering
           join cell.chain_signer on chain_signer.tenant_id = offering.tenant_id
             and chain_signer.chain = offering.blockchain
           join cell.indexed_token on indexed_token.chain = offering.blockchain and indexed_token.has_joined
             and indexed_token.token_address = lower(offering.token_address)
             and indexed_token.desk_address = lower(chain_signer.desk_address)
           where offering.token_deployed_at is not null and offering.blockchain = any ($1) and offering.id > $2
           order by offering.id limit $3`,
    values: [chains, after, limit],
  })
  return rows
}

/** What our tables say of a token, in whole units of the chain. */
export interface Books {
  chain: string
  token: Address
  /** The last block that is final and has been applied. */
  block: bigint
  /** Minted less burned, up to that block. */
  supply: bigint
  /** Up to that block: all that was minted, and what of it was for an order. */
  minted: bigint
  mintedForOrders: bigint
  /** Now: what the offering says was issued, what its minted orders say, and what the log says of orders. */
  issued: bigint
  ordered: bigint
  appliedForOrders: bigint
  mintingStopped: string | null
  acceptedDifference: string | null
}

/**
 * One statement, so that all of it is one moment. What is compared with the chain is cut at the block of the cursor:
 * the indexer applies later blocks before it moves the cursor past them.
 */
export async function readBooks(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
): Promise<Books | undefined> {
  type Figures = 'block' | 'supply' | 'minted' | 'mintedForOrders' | 'issued' | 'ordered' | 'appliedForOrders'
  const row = await tx.row<Omit<Books, Figures> & Record<Figures, string>>(sql`
    select offering.blockchain as chain, offering.token_address as token, cursor.finalized_number as block,
           (logged.minted - logged.burned)::text as supply, logged.minted::text as minted,
           logged.for_orders::text as "mintedForOrders", offering.issued_units::text as issued,
           (select coalesce(sum(token_order.units), 0) from cell.token_order
            where token_order.tenant_id = ${tenantId} and token_order.offering_id = ${offeringId}
              and token_order.status = 'MINTED')::text as ordered,
           logged.applied_for_orders::text as "appliedForOrders",
           offering.minting_stopped as "mintingStopped", offering.accepted_difference as "acceptedDifference"
    from cell.offering
    join cell.chain_cursor cursor on cursor.chain = offering.blockchain
    cross join lateral (
      select coalesce(sum(units) filter (where is_read and kind = 'transfer' and from_address is null), 0) as minted,
             coalesce(sum(units) filter (where is_read and kind = 'transfer' and to_address = ${zero}), 0) as burned,
             coalesce(sum(units) filter (where is_read and kind = 'order_minted'), 0) as for_orders,
             coalesce(sum(units) filter (where kind = 'order_minted'), 0) as applied_for_orders
      from (
        select units, kind, from_address, to_address, block_number <= cursor.finalized_number as is_read
        from cell.token_log
        where token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and applied_at is not null
      ) applied
    ) logged
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and offering.token_deployed_at is not null`)
  if (!row) return undefined
  return {
    ...row,
    block: BigInt(row.block),
    supply: BigInt(row.supply),
    minted: BigInt(row.minted),
    mintedForOrders: BigInt(row.mintedForOrders),
    issued: BigInt(row.issued),
    ordered: BigInt(row.ordered),
    appliedForOrders: BigInt(row.appliedForOrders),
  }
}

const zero = '0x0000000000000000000000000000000000000000'

/** Wallets whose balance is not what the log, as far as it is applied, says of their address. */
export function listWrongBalances(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
): Promise<{ address: Address; balance: string; logged: string }[]> {
  return tx.rows(sql`
    select wallet.public_address as address, wallet_balance.balance::text as balance, moved.units::text as logged
    from cell.wallet_balance
    join cell.wallet on wallet.tenant_id = wallet_balance.tenant_id and wallet.id = wallet_balance.wallet_id
    cross join lateral (
      select coalesce(sum(case when to_address = wallet.public_address then units else 0 end
                          - case when from_address = wallet.public_address then units else 0 end), 0) as units
      from cell.token_log
      where token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and kind = 'transfer'
        and applied_at is not null
        and (to_address = wallet.public_address or from_address = wallet.public_address)
    ) moved
    where wallet_balance.tenant_id = ${tenantId} and wallet_balance.offering_id = ${offeringId}
      and wallet_balance.balance <> moved.units
    order by 1 limit 10`)
}

/** False where minting was stopped already: then the reason that is there stays. */
export async function stopMinting(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
  why: string,
): Promise<boolean> {
  const stopped = await tx.row(sql`
    update cell.offering set minting_stopped = ${why}
    where tenant_id = ${tenantId} and id = ${offeringId} and minting_stopped is null
    returning id`)
  return stopped !== undefined
}

/** The difference that it was stopped for stops it no more; another one does. */
export async function resumeLockedMinting(tx: Transaction, { tenantId, offeringId }: MintableOffering): Promise<void> {
  await tx.rows(sql`
    update cell.offering set accepted_difference = minting_stopped, minting_stopped = null
    where tenant_id = ${tenantId} and id = ${offeringId}`)
}
