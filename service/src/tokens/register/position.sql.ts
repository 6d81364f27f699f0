import { zeroAddress } from 'viem'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'

/** A block in which the register of a token changed. */
export interface ChangeBlock {
  number: string
  hash: string
  at: Date
}

/** Finds the last block, up to the given one, in which the register changed; undefined before the first change. */
export function findLastRegisterChange(tx: Transaction, { tenantId, offeringId }: OfferingKey, block: bigint) {
  return tx.row<ChangeBlock>(sql`
    select block_number::text as number, block_hash as hash, block_timestamp as at from cell.token_log
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and applied_at is not null
      and block_number <= ${String(block)}::bigint
    order by block_number desc, log_index desc limit 1`)
}

/** Condition on `holding` for the addresses of an account that have or had units of the token. */
export function isOfAccount({ tenantId, offeringId }: OfferingKey, accountId: string): Sql {
  return sql`
    holding.address in (
      select wallet.public_address collate "C" from cell.wallet
      join cell.offering on offering.tenant_id = wallet.tenant_id and offering.blockchain = wallet.blockchain
      where wallet.tenant_id = ${tenantId} and wallet.account_id = ${accountId} and offering.id = ${offeringId})`
}

export interface ChangedPosition {
  accountId: string
  block: string
}

/**
 * Selects the next positions of accounts that changed in a block after `after` and through `to`, and have no extract
 * yet. Accounts of erased investors get none.
 */
export function selectChangedPositions(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  { after, to, limit }: { after: string; to: string; limit: number },
): Promise<ChangedPosition[]> {
  return tx.rows<ChangedPosition>(sql`
    select distinct wallet.account_id as "accountId", moved.block_number::text as block, moved.block_number
    from (
      select to_address as address, block_number, offering_id, tenant_id from cell.token_log
      where ${isBetween({ tenantId, offeringId }, { after, to })} and kind in ('transfer', 'frozen')
        and to_address <> ${zeroAddress}
      union
      select from_address, block_number, offering_id, tenant_id from cell.token_log
      where ${isBetween({ tenantId, offeringId }, { after, to })} and kind = 'transfer' and from_address is not null
    ) moved
    join cell.offering on offering.tenant_id = moved.tenant_id and offering.id = moved.offering_id
    join cell.wallet on wallet.tenant_id = moved.tenant_id and wallet.blockchain = offering.blockchain
      and wallet.public_address = moved.address
    join cell.account on account.tenant_id = wallet.tenant_id and account.id = wallet.account_id
      and account.erased_at is null
    where not exists (
      select from cell.register_extract
      where register_extract.tenant_id = ${tenantId} and register_extract.offering_id = ${offeringId}
        and register_extract.account_id = wallet.account_id and register_extract.block_number = moved.block_number
        and register_extract.cause = 'change')
    order by moved.block_number, wallet.account_id limit ${limit}::bigint`)
}

function isBetween({ tenantId, offeringId }: OfferingKey, { after, to }: { after: string; to: string }): Sql {
  return sql`
    token_log.tenant_id = ${tenantId} and token_log.offering_id = ${offeringId} and token_log.applied_at is not null
    and token_log.block_number > ${after}::bigint and token_log.block_number <= ${to}::bigint`
}

/** Selects the offerings, among the given ones, whose holders get an extract after each change. */
export async function selectExtractedOfferings(
  tx: Transaction,
  tenantId: string,
  offeringIds: readonly string[],
): Promise<string[]> {
  const found = await tx.rows<{ id: string }>(sql`
    select id from cell.offering
    where tenant_id = ${tenantId} and id = any (${offeringIds}::uuid[]) and extract_format is not null`)
  return found.map(({ id }) => id)
}
