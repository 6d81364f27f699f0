import type pg from 'pg'
import type { Address } from 'viem'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type LivingOrder, livingColumns } from '../../sales/orders/order-life.sql.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'

export interface MintableOffering {
  tenantId: string
  offeringId: string
}

/** Offerings of all tenants that have something to mint, and a token to mint it with. As the worker's role. */
export async function listMintableOfferings(cell: pg.Pool, chains: string[]): Promise<MintableOffering[]> {
  const { rows } = await cell.query<MintableOffering>({
    name: 'mintable-offerings',
    text: `select offering.tenant_id as "tenantId", offering.id as "offeringId" from cell.offering
           where offering.token_deployed_at is not null and offering.minting_stopped is null
             and offering.blockchain = any ($1)
             and exists (select from cell.token_order where token_order.tenant_id = offering.tenant_id
                         and token_order.offering_id = offering.id and token_order.status = 'READYTOMINT'
                         and token_order.held_reason is null)
           limit 100`,
    values: [chains],
  })
  return rows
}

/** Open offerings that have no token yet. As the worker's role. */
export async function listTokenlessOfferings(cell: pg.Pool, chains: string[]): Promise<MintableOffering[]> {
  const { rows } = await cell.query<MintableOffering>({
    name: 'tokenless-offerings',
    text: `select tenant_id as "tenantId", id as "offeringId" from cell.offering
           where status = 'OPEN' and token_address is null and blockchain = any ($1) limit 100`,
    values: [chains],
  })
  return rows
}

/** What a mint is made of, beyond the order itself. */
export interface ReadyOrder extends LivingOrder {
  walletAddress: Address
  /** Null where nobody has asked for it yet. */
  isRegistered: boolean | null
}

const withWallet = sql`
  from cell.token_order
  join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id
  join cell.wallet on wallet.tenant_id = token_order.tenant_id and wallet.id = token_order.mint_wallet_id
  left join cell.token_holder holder
    on holder.tenant_id = token_order.tenant_id and holder.offering_id = token_order.offering_id
    and holder.wallet_id = token_order.mint_wallet_id`
const readyColumns = sql`
  ${livingColumns}, wallet.public_address as "walletAddress", holder.is_registered as "isRegistered"`

/** Orders that are ready, held until the end of the transaction; those that somebody else holds are left to them. */
export function lockReadyOrders(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
  limit: number,
): Promise<ReadyOrder[]> {
  return tx.rows<ReadyOrder>(sql`
    select ${readyColumns} ${withWallet}
    where token_order.tenant_id = ${tenantId} and token_order.offering_id = ${offeringId}
      and token_order.status = 'READYTOMINT' and token_order.held_reason is null
      and holder.is_registered is distinct from false
    order by token_order.id limit ${limit}::bigint
    for no key update of token_order skip locked`)
}

/** The orders of a mint that are still being minted, held until the end of the transaction. */
export function lockOrdersOfOp(tx: Transaction, { tenantId, id }: ChainOp): Promise<ReadyOrder[]> {
  return tx.rows<ReadyOrder>(sql`
    select ${readyColumns} ${withWallet}
    where token_order.tenant_id = ${tenantId} and token_order.mint_op_id = ${id} and token_order.status = 'MINTING'
    order by token_order.id
    for no key update of token_order`)
}

export async function assignOrders(
  tx: Transaction,
  tenantId: string,
  opId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx.rows(sql`
    update cell.token_order set mint_op_id = ${opId} where tenant_id = ${tenantId} and id = any (${orderIds}::uuid[])`)
}

/** The token and its desk; undefined where the offering may not be minted any more. */
export function findDesk(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
): Promise<{ chain: string; tokenAddress: Address; deskAddress: Address } | undefined> {
  return tx.row(sql`
    select offering.blockchain as chain, offering.token_address as "tokenAddress", signer.desk_address as "deskAddress"
    from cell.offering
    join cell.chain_signer signer on signer.tenant_id = offering.tenant_id and signer.chain = offering.blockchain
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and offering.token_deployed_at is not null
      and offering.minting_stopped is null`)
}

export async function insertHolders(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
  opId: string,
  wallets: readonly { walletId: string; accountId: string }[],
): Promise<void> {
  await tx.rows(sql`
    insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, op_id)
    select ${tenantId}, ${offeringId}, wallet_id, account_id, ${opId}
    from unnest(${wallets.map(({ walletId }) => walletId)}::uuid[],
                ${wallets.map(({ accountId }) => accountId)}::uuid[])
      as wanted (wallet_id, account_id)
    on conflict do nothing`)
}

export async function markRegistered(tx: Transaction, { tenantId, id }: ChainOp): Promise<void> {
  await tx.rows(sql`update cell.token_holder set is_registered = true where tenant_id = ${tenantId} and op_id = ${id}`)
}

/** An offering that shall get a token, held until the end of the transaction. */
export function lockTokenlessOffering(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
): Promise<{ chain: string; name: string; symbol: string; decimals: number } | undefined> {
  return tx.row(sql`
    select blockchain as chain, name, symbol, decimals from cell.offering
    where tenant_id = ${tenantId} and id = ${offeringId} and status = 'OPEN' and token_address is null
    for no key update`)
}

export async function setTokenAddress(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
  address: Address,
): Promise<void> {
  await tx.rows(sql`
    update cell.offering set token_address = ${address} where tenant_id = ${tenantId} and id = ${offeringId}`)
}

export async function markDeployed(tx: Transaction, { tenantId, offeringId }: ChainOp, now: Date): Promise<void> {
  await tx.rows(sql`
    update cell.offering set token_deployed_at = ${now} where tenant_id = ${tenantId} and id = ${offeringId}`)
}

/** What an offering says while its token is paused: a mint would be refused, and each of its orders held. */
const pausedReason = 'its token is paused'

export async function stopForPause(tx: Transaction, { tenantId, offeringId }: MintableOffering): Promise<void> {
  await tx.rows(sql`
    update cell.offering set minting_stopped = coalesce(minting_stopped, ${pausedReason})
    where tenant_id = ${tenantId} and id = ${offeringId}`)
}

/** Whatever else minting was stopped for stays. */
export async function goOnAfterPause(tx: Transaction, { tenantId, offeringId }: ChainOp): Promise<void> {
  await tx.rows(sql`
    update cell.offering set minting_stopped = null
    where tenant_id = ${tenantId} and id = ${offeringId} and minting_stopped = ${pausedReason}`)
}

export function findDeskOp(
  tx: Transaction,
  { tenantId, chain }: { tenantId: string; chain: string },
): Promise<{ id: string } | undefined> {
  return tx.row(sql`
    select id from cell.chain_op where tenant_id = ${tenantId} and chain = ${chain} and kind = 'DEPLOY_DESK'
    order by created_at desc limit 1`)
}
