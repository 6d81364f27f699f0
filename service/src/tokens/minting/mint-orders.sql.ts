import type pg from 'pg'
import type { Address } from 'viem'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import {
  type OrderWithOffering,
  orderWithOfferingColumns,
  readOrderAmounts,
} from '../../sales/orders/order-transition.sql.ts'
import type { ChainOp, ChainOpKey } from '../chain-ops/chain-op.sql.ts'
import { withoutToken } from './offering-token.sql.ts'

/** The op whose token is in an unfinalized block. Ops that use the token depend on it. */
const unfinalizedToken = sql`
  from cell.chain_op deployment
  where deployment.tenant_id = offering.tenant_id and deployment.offering_id = offering.id
    and deployment.kind = 'DEPLOY_TOKEN' and deployment.state = 'MINED'`
const isMintable = sql`
  (offering.token_deployed_at is not null or exists (select ${unfinalizedToken}))
  and offering.minting_stopped is null and offering.token_unreadable_since is null`

const withOrdersToMint = (chains: readonly string[]) => sql`
  from cell.offering
  where ${isMintable} and offering.blockchain = any (${chains}::text[])
    and exists (select from cell.token_order where token_order.tenant_id = offering.tenant_id
                and token_order.offering_id = offering.id and token_order.status = 'READYTOMINT'
                and token_order.mint_hold_reason is null)`

/** True if an order of a cell can be minted, or an offering has no token yet. */
export const isMintingDue = (chains: readonly string[]) => sql`
  exists (select ${withOrdersToMint(chains)}) or exists (select ${withoutToken(chains)})`

/** Selects offerings of all tenants of a cell that have a token and orders to mint. Runs with the worker's role. */
export function selectMintableOfferings(cell: pg.Pool, chains: readonly string[]) {
  return acrossTenants(cell).rows<OfferingKey>(sql`
    select offering.tenant_id as "tenantId", offering.id as "offeringId" ${withOrdersToMint(chains)} limit 100`)
}

/** An order to mint, with its wallet. */
export interface ReadyOrder extends OrderWithOffering {
  walletAddress: Address
  /** True if the wallet is registered with the token; null if its registration was never enqueued. */
  isRegistered: boolean | null
  /** The op whose registration of the wallet is in an unfinalized block, and its nonce. */
  registrationOpId: string | null
  registrationNonce: string | null
}

const withWallet = sql`
  from cell.token_order
  join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id
  join cell.wallet on wallet.tenant_id = token_order.tenant_id and wallet.id = token_order.mint_wallet_id
  left join cell.token_holder holder
    on holder.tenant_id = token_order.tenant_id and holder.offering_id = token_order.offering_id
    and holder.wallet_id = token_order.mint_wallet_id
  left join cell.chain_op registration
    on registration.tenant_id = holder.tenant_id and registration.id = holder.op_id
    and registration.kind = 'REGISTER_WALLETS' and registration.state = 'MINED'`
const readyColumns = sql`
  ${orderWithOfferingColumns}, wallet.public_address as "walletAddress", holder.is_registered as "isRegistered",
  registration.id as "registrationOpId", registration.nonce as "registrationNonce"`

/**
 * Locks orders that can be minted until the end of the transaction. Skips orders that another process has locked, and
 * those whose wallet waits for its registration to be in a block or is about to lose it.
 */
export function lockReadyOrders(tx: Transaction, { tenantId, offeringId }: OfferingKey, limit: number) {
  return tx
    .rows<ReadyOrder>(sql`
    select ${readyColumns} ${withWallet}
    where token_order.tenant_id = ${tenantId} and token_order.offering_id = ${offeringId}
      and token_order.status = 'READYTOMINT' and token_order.mint_hold_reason is null
      and (holder.wallet_id is null or (holder.is_registered and holder.op_id is null) or registration.id is not null)
    order by token_order.id limit ${limit}::bigint
    for no key update of token_order skip locked`)
    .then(readOrderAmounts)
}

/** Locks the orders of a mint that are still MINTING until the end of the transaction. */
export function lockOrdersOfOp(tx: Transaction, { tenantId, id }: ChainOp): Promise<ReadyOrder[]> {
  return tx
    .rows<ReadyOrder>(sql`
    select ${readyColumns} ${withWallet}
    where token_order.tenant_id = ${tenantId} and token_order.mint_op_id = ${id} and token_order.status = 'MINTING'
    order by token_order.id
    for no key update of token_order`)
    .then(readOrderAmounts)
}

export async function assignMintOp(
  tx: Transaction,
  { tenantId, opId, orderIds }: ChainOpKey & { orderIds: readonly string[] },
): Promise<void> {
  await tx.rows(sql`
    update cell.token_order set mint_op_id = ${opId} where tenant_id = ${tenantId} and id = any (${orderIds}::uuid[])`)
}

export interface Desk {
  chain: string
  tokenAddress: Address
  deskAddress: Address
  /** The op that deploys the token, if its block is not finalized. */
  deploymentOpId: string | null
}

/** Finds the token and its mint desk; undefined if the offering must not be minted now. */
export function findDesk(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<Desk | undefined> {
  return tx.row<Desk>(sql`
    select offering.blockchain as chain, offering.token_address as "tokenAddress", signer.desk_address as "deskAddress",
           (select deployment.id ${unfinalizedToken} and offering.token_deployed_at is null limit 1) as "deploymentOpId"
    from cell.offering
    join cell.chain_signer signer on signer.tenant_id = offering.tenant_id and signer.chain = offering.blockchain
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and ${isMintable}`)
}
