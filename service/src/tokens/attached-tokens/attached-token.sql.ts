import type pg from 'pg'
import type { Address } from 'viem'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { MintableOffering } from '../minting/mint-orders.sql.ts'

/** Offerings of all tenants with a token that nobody has looked at on the chain yet. As the worker's role. */
export async function listWantedTokens(cell: pg.Pool, chains: string[]): Promise<MintableOffering[]> {
  const { rows } = await cell.query<MintableOffering>({
    name: 'wanted-tokens',
    text: `select tenant_id as "tenantId", id as "offeringId" from cell.offering
           where wanted_token_address is not null and token_address is null and token_refusal is null
             and status = 'DRAFT' and blockchain = any ($1)
           limit 100`,
    values: [chains],
  })
  return rows
}

/** What the token has to be, and for whom. */
export interface WantedToken {
  chain: string
  symbol: string
  decimals: number
  address: Address
  desk: Address | null
}

export function findWantedToken(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
): Promise<WantedToken | undefined> {
  return tx.row<WantedToken>(sql`
    select offering.blockchain as chain, offering.symbol, offering.decimals,
           offering.wanted_token_address as address, signer.desk_address as desk
    from cell.offering
    left join cell.chain_signer signer on signer.tenant_id = offering.tenant_id and signer.chain = offering.blockchain
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and offering.status = 'DRAFT'
      and offering.wanted_token_address is not null and offering.token_address is null`)
}

/** What is wanted from now on, to be looked at anew; null for a token of our own. */
export async function wantToken(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
  address: Address | null,
): Promise<void> {
  await tx.rows(sql`
    update cell.offering
    set wanted_token_address = ${address}, token_refusal = null, token_address = null, token_deployed_at = null
    where tenant_id = ${tenantId} and id = ${offeringId}`)
}

/** Only while the draft is what was looked at: terms may have changed while the node was asked. */
export async function settleWantedToken(
  tx: Transaction,
  { tenantId, offeringId }: MintableOffering,
  { chain, symbol, decimals, address }: WantedToken,
  outcome: { refusal: string } | { deployedAt: Date },
): Promise<void> {
  const [refusal, deployedAt] = 'refusal' in outcome ? [outcome.refusal, null] : [null, outcome.deployedAt]
  await tx.rows(sql`
    update cell.offering
    set token_refusal = ${refusal}, token_deployed_at = ${deployedAt},
        token_address = case when ${refusal}::text is null then wanted_token_address end
    where tenant_id = ${tenantId} and id = ${offeringId} and status = 'DRAFT' and wanted_token_address = ${address}
      and token_address is null and blockchain = ${chain} and symbol = ${symbol} and decimals = ${decimals}`)
}
