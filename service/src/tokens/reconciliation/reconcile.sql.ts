import type pg from 'pg'
import type { Address } from 'viem'
import { raiseAlarm } from '../../access/alarms/raise-alarm.ts'
import { acrossTenants, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { recordMintingEvent } from '../minting/offering-token.sql.ts'

/** Yields backfilled tokens of all tenants; the logs of others are incomplete. Runs with the worker's role. */
export function reconcilableOfferings(cell: pg.Pool, chains: readonly string[]): AsyncGenerator<OfferingKey> {
  return deployedOfferings(
    cell,
    sql`
    join cell.chain_signer on chain_signer.tenant_id = offering.tenant_id and chain_signer.chain = offering.blockchain
    join cell.indexed_token on indexed_token.chain = offering.blockchain and indexed_token.is_backfilled
      and indexed_token.token_address = lower(offering.token_address)
      and indexed_token.desk_address = lower(chain_signer.desk_address)
    where offering.blockchain = any (${chains}::text[])`,
  )
}

/** Yields offerings of all tenants on a chain that can be minted. Runs with the worker's role. */
export function mintingOfferings(cell: pg.Pool, chain: string): AsyncGenerator<OfferingKey> {
  return deployedOfferings(cell, sql`where offering.blockchain = ${chain} and offering.minting_stopped is null`)
}

const pageMax = 100

async function* deployedOfferings(cell: pg.Pool, joinsAndWhere: Sql): AsyncGenerator<OfferingKey> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (after) {
    const page: OfferingKey[] = await acrossTenants(cell).rows<OfferingKey>(sql`
      select offering.tenant_id as "tenantId", offering.id as "offeringId" from cell.offering ${joinsAndWhere}
        and offering.token_deployed_at is not null and offering.id > ${after}
      order by offering.id limit ${pageMax}`)
    yield* page
    after = page.length === pageMax ? page.at(-1)?.offeringId : undefined
  }
}

/** The figures of a token in the database, in the smallest units. */
export interface TokenLedger {
  chain: string
  token: Address
  /** The last finalized block whose logs are applied. */
  block: bigint
  /** Minted minus burned units up to that block. */
  supply: bigint
  /** All units minted up to that block, and those minted for an order. */
  minted: bigint
  mintedForOrders: bigint
  /** Current issued units of the offering, of its MINTED orders, and of the applied OrderMinted logs. */
  issued: bigint
  ordered: bigint
  appliedForOrders: bigint
  mintingStopped: string | null
  acceptedDifference: string | null
}

/**
 * Reads the figures in one statement and so from one snapshot. Figures to compare with the chain end at the block of
 * the cursor, because the indexer applies later blocks before it moves the cursor past them. Returns undefined for a
 * draft, whose token is not indexed yet, and for a token whose logs cannot be read.
 */
export async function readTokenLedger(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
): Promise<TokenLedger | undefined> {
  type Figures = 'block' | 'supply' | 'minted' | 'mintedForOrders' | 'issued' | 'ordered' | 'appliedForOrders'
  const row = await tx.row<Omit<TokenLedger, Figures> & Record<Figures, string>>(sql`
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
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and offering.token_deployed_at is not null
      and offering.status <> 'DRAFT' and offering.token_read_to is null`)
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

/** A stored sum that differs from the sum of the applied logs. */
export interface WrongSum {
  address: Address
  balance: string
  logged: string
  /** Name of the sum. */
  source: string
}

/**
 * Selects addresses whose entry in the register differs from the sum of their applied logs, in one pass over the log.
 */
export function selectWrongHoldings(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<WrongSum[]> {
  const applied = sql`
    token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and kind = 'transfer'
    and applied_at is not null`
  return tx.rows<WrongSum>(sql`
    select coalesce(listed.address, moved.address) as address, coalesce(listed.units, 0)::text as balance,
           coalesce(moved.units, 0)::text as logged, 'the register' as source
    from (
      select address, units from cell.holding where tenant_id = ${tenantId} and offering_id = ${offeringId}
    ) listed
    full join (
      select address, sum(units) as units
      from (
        select to_address as address, units from cell.token_log where ${applied}
        union all
        select coalesce(from_address, ${zero}), -units from cell.token_log where ${applied}
      ) moves
      group by address
    ) moved on moved.address = listed.address
    where coalesce(listed.units, 0) <> coalesce(moved.units, 0)
    order by 1 limit 10`)
}

/** Selects wallets whose balance differs from the sum of the applied logs of their address. */
export function selectWrongBalances(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<WrongSum[]> {
  return tx.rows(sql`
    select wallet.public_address as address, wallet_balance.balance::text as balance, moved.units::text as logged,
           'its balance' as source
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

/** Stops minting, because of a difference at this block. Returns false if it is stopped already: that reason stays. */
export async function stopMinting(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  reason: string,
  block?: number,
): Promise<boolean> {
  const stopped = await tx.row(sql`
    update cell.offering set minting_stopped = ${reason}
    where tenant_id = ${tenantId} and id = ${offeringId} and minting_stopped is null
    returning id`)
  if (!stopped) return false
  await raiseAlarm(tx, tenantId, { type: 'offering.minting_stopped', data: { offering_id: offeringId }, offeringId })
  await appendAudit(tx, system, {
    action: 'offering.minting_stopped',
    subject: { type: 'offering', id: offeringId },
    after: { minting_stopped: reason, block },
  })
  return true
}

const system = { type: 'system', id: null, requestId: null } as const

/** Stored in minting_stopped if the nodes of a chain disagree. */
export function nodesDisagreeOn(chain: string): string {
  return `the nodes of ${chain} disagree on a finalized block`
}

/**
 * Accepts the difference for which minting was stopped. A different one stops it again. So do nodes that still
 * disagree, which nobody can accept.
 */
export async function resumeLockedMinting(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  chain: string,
): Promise<void> {
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      update cell.offering
      set accepted_difference = case when minting_stopped = ${nodesDisagreeOn(chain)} then accepted_difference
                                     else minting_stopped end,
          minting_stopped = null
      where tenant_id = ${tenantId} and id = ${offeringId}`),
    (tx) => recordMintingEvent(tx, { tenantId, offeringId }, 'resumed'),
  )
}
