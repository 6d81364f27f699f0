import type pg from 'pg'
import type { Address } from 'viem'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import type { SignerKey } from '../signers/key-backend.ts'

/** Version of only the reason why minting stopped: orders change the rest of the row all the time. */
export const mintingStopFingerprint = rowFingerprint(sql`(select tenant_id, id, minting_stopped from cell.offering)`)

export const withoutToken = (chains: readonly string[]) => sql`
  from cell.offering
  where status in ('OPEN', 'PAUSED') and token_address is null and blockchain = any (${chains}::text[])`

/** Selects open and paused offerings of all tenants of a cell that have no token yet. Runs with the worker's role. */
export function selectOfferingsWithoutToken(cell: pg.Pool, chains: readonly string[]) {
  return acrossTenants(cell).rows<OfferingKey>(sql`
    select tenant_id as "tenantId", id as "offeringId" ${withoutToken(chains)} limit 100`)
}

export interface OfferingWithoutToken {
  chain: string
  name: string
  symbol: string
  decimals: number
  totalUnits: string
  lockUpUntil: Date | null
}

/** Locks an open or paused offering until the end of the transaction. Returns undefined if it has a token meanwhile. */
export function lockOfferingWithoutToken(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.row<OfferingWithoutToken>(sql`
    select blockchain as chain, name, symbol, decimals, total_units::text as "totalUnits",
           lock_up_until as "lockUpUntil"
    from cell.offering
    where tenant_id = ${tenantId} and id = ${offeringId} and status in ('OPEN', 'PAUSED')
      and token_address is null
    for no key update`)
}

/** Finds the latest op that deploys the tenant's mint desk on a chain. */
export function findDeskOp(tx: Transaction, { tenantId, chain }: SignerKey) {
  return tx.row<Pick<ChainOp, 'id' | 'dependsOn'>>(sql`
    select id, depends_on as "dependsOn" from cell.chain_op
    where tenant_id = ${tenantId} and chain = ${chain} and kind = 'DEPLOY_DESK'
    order by created_at desc limit 1`)
}

/** Stores the address of a token that the service deploys, which enforces the lock-up. */
export async function setTokenAddress(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  { address, cap }: { address: Address; cap: bigint },
): Promise<void> {
  await tx.rows(sql`
    update cell.offering
    set token_address = ${address}, token_cap = ${String(cap)}, token_enforces_lock_up = true
    where tenant_id = ${tenantId} and id = ${offeringId}`)
}

/** Stores the cap that a SET_CAP has set, unless a later one is final already: ops become FINAL in any order. */
export async function setTokenCap(tx: Transaction, op: ChainOp, cap: bigint): Promise<void> {
  await tx.rows(sql`
    update cell.offering set token_cap = ${String(cap)}
    where tenant_id = ${op.tenantId} and id = ${op.offeringId} and not exists (
      select from cell.chain_op later
      where later.tenant_id = ${op.tenantId} and later.offering_id = ${op.offeringId} and later.kind = 'SET_CAP'
        and later.state = 'FINAL' and later.nonce > ${op.nonce})`)
}

export async function markTokenDeployed(tx: Transaction, { tenantId, offeringId }: ChainOp, now: Date): Promise<void> {
  await tx.rows(sql`
    update cell.offering set token_deployed_at = ${now} where tenant_id = ${tenantId} and id = ${offeringId}`)
}

/** Stored in minting_stopped while the token is paused. */
export const pausedReason = 'its token is paused'

/** Stops minting unless it is already stopped. Mints of a paused token would revert, and put each order on hold. */
export async function stopMintingWhilePaused(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<void> {
  const stopped = await tx.row(sql`
    update cell.offering set minting_stopped = ${pausedReason}
    where tenant_id = ${tenantId} and id = ${offeringId} and minting_stopped is null
    returning id`)
  if (stopped) await recordMintingEvent(tx, { tenantId, offeringId }, 'stopped')
}

/** Resumes minting, unless it is stopped for another reason. */
export async function resumeMintingAfterPause(tx: Transaction, { tenantId, offeringId }: ChainOp): Promise<void> {
  const resumed = await tx.row<{ id: string }>(sql`
    update cell.offering set minting_stopped = null
    where tenant_id = ${tenantId} and id = ${offeringId} and minting_stopped = ${pausedReason}
    returning id`)
  if (resumed) await recordMintingEvent(tx, { tenantId, offeringId: resumed.id }, 'resumed')
}

/** Informs operators that the minting of an offering was stopped or resumed. */
export function recordMintingEvent(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  change: 'stopped' | 'resumed',
): Promise<void> {
  return recordEvent(tx, tenantId, { type: `offering.minting_${change}`, data: { offering_id: offeringId } })
}
