import type pg from 'pg'
import type { Address } from 'viem'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'

const unchecked = (chains: readonly string[]) => sql`
  from cell.offering
  where attached_token_address is not null and token_address is null and token_rejection is null
    and status = 'DRAFT' and blockchain = any (${chains}::text[])`

/** True if selectUncheckedTokens would find a draft. */
export const areTokensUnchecked = (chains: readonly string[]) => sql`exists (select ${unchecked(chains)})`

/**
 * Selects drafts of all tenants of a cell with an attached token that was not checked yet. Runs with the worker's role.
 */
export function selectUncheckedTokens(cell: pg.Pool, chains: readonly string[]) {
  return acrossTenants(cell).rows<OfferingKey>(sql`
    select tenant_id as "tenantId", id as "offeringId" ${unchecked(chains)} limit 100`)
}

/** The token that an operator attached to a draft, and the draft's requirements for it. */
export interface AttachedToken {
  chain: string
  symbol: string
  decimals: number
  address: Address
  /** The tenant's mint desk; null without a signer on the chain. */
  desk: Address | null
}

export function findUncheckedToken(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.row<AttachedToken>(sql`
    select offering.blockchain as chain, offering.symbol, offering.decimals,
           offering.attached_token_address as address, signer.desk_address as desk
    from cell.offering
    left join cell.chain_signer signer on signer.tenant_id = offering.tenant_id and signer.chain = offering.blockchain
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and offering.status = 'DRAFT'
      and offering.attached_token_address is not null and offering.token_address is null`)
}

/** Attaches a token, which is then checked. Pass null for a new token, which the service deploys. */
export async function setAttachedToken(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  address: Address | null,
): Promise<void> {
  await tx.rows(sql`
    update cell.offering
    set attached_token_address = ${address}, token_rejection = null, token_address = null, token_deployed_at = null,
        token_cap = null, token_enforces_lock_up = false
    where tenant_id = ${tenantId} and id = ${offeringId}`)
}

/** Saves the result of a check, unless an operator has changed the draft while the check was running. */
export async function saveTokenCheck(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  { chain, symbol, decimals, address }: AttachedToken,
  result: { rejection: string } | { deployedAt: Date; cap: bigint | null },
): Promise<void> {
  const accepted = 'rejection' in result ? undefined : result
  const rejection = 'rejection' in result ? result.rejection : null
  const saved = await tx.row(sql`
    update cell.offering
    set token_rejection = ${rejection}, token_deployed_at = ${accepted?.deployedAt ?? null},
        token_cap = ${accepted?.cap?.toString() ?? null},
        token_address = case when ${rejection}::text is null then attached_token_address end
    where tenant_id = ${tenantId} and id = ${offeringId} and status = 'DRAFT' and attached_token_address = ${address}
      and token_address is null and blockchain = ${chain} and symbol = ${symbol} and decimals = ${decimals}
    returning id`)
  if (saved && rejection !== null)
    await recordEvent(tx, tenantId, { type: 'offering.token_rejected', data: { offering_id: offeringId } })
}
