import { newRowId } from '../../platform/base/ids.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { LogOwner, TokenLog } from './token-log.sql.ts'

/** A transaction as it is told in an event. */
export interface ShownTransaction {
  id: string
  accountId: string
  walletId: string
  offeringId: string
  type: string
  hash: string
  units: string
  status: string
}

const shownColumns: Sql = sql`
  token_transaction.id, token_transaction.account_id as "accountId", token_transaction.wallet_id as "walletId",
  token_transaction.offering_id as "offeringId", token_transaction.transaction_type as type,
  token_transaction.transaction_hash as hash, token_transaction.units::text as units, token_transaction.status`

/**
 * What accounts see of these transfers, behind what they have seen so far: one row for each account that has a part in
 * one. Addresses that are nobody's wallet have no row. The accounts' rows give the positions and are held from then on.
 */
export function insertTransactions(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  logs: readonly TokenLog[],
  status: 'pending' | 'confirmed',
): Promise<ShownTransaction[]> {
  return tx.rows<ShownTransaction>(sql`
    with given as (
      select * from unnest(
        ${logs.map((log) => log.blockHash)}::text[], ${logs.map((log) => log.logIndex)}::integer[],
        ${logs.map((log) => log.blockNumber)}::bigint[], ${logs.map((log) => log.blockTimestamp)}::timestamptz[],
        ${logs.map((log) => log.transactionHash)}::text[], ${logs.map((log) => log.offeringId)}::uuid[],
        ${logs.map((log) => log.from)}::text[], ${logs.map((log) => log.to)}::text[],
        ${logs.map((log) => log.units)}::numeric[], ${logs.map(() => newRowId())}::uuid[],
        ${logs.map(() => newRowId())}::uuid[]
      ) as log (block_hash, log_index, block_number, block_timestamp, transaction_hash, offering_id, from_address,
                to_address, units, sent_id, received_id)
    ), concerned as (
      select id, account_id, public_address from cell.wallet
      where wallet.tenant_id = ${tenantId} and wallet.blockchain = ${chain}
        and wallet.public_address = any (${addressesOf(logs)})
    ), sides as (
      select given.*, sender.id as sender_id, sender.account_id as sender_account,
             receiver.id as receiver_id, receiver.account_id as receiver_account
      from given
      left join concerned sender on sender.public_address = given.from_address
      left join concerned receiver on receiver.public_address = given.to_address
    ), shown as (
      select sides.*, sent_id as id, sender_account as account_id, sender_id as wallet_id, 0 as side,
             case when sender_account = receiver_account then 'TRANSFER' else 'SEND' end as type
      from sides where sender_id is not null
      union all
      select sides.*, received_id, receiver_account, receiver_id, 1,
             case when from_address is null then 'MINT' else 'RECEIVE' end
      from sides where receiver_id is not null and receiver_account is distinct from sender_account
    ), numbered as (
      select shown.*, row_number() over (partition by account_id order by block_number, log_index, side) - 1 as place
      from shown
    ), counted as (
      update cell.account set transaction_count = transaction_count + added.many
      from (select account_id, count(*) as many from numbered group by account_id) added
      where account.tenant_id = ${tenantId} and account.id = added.account_id
      returning account.id, account.transaction_count - added.many as base
    )
    insert into cell.token_transaction (tenant_id, id, account_id, wallet_id, offering_id, position, transaction_type,
                                        transaction_hash, units, status, tx_from, tx_to, block_timestamp, chain,
                                        block_hash, log_index)
    select ${tenantId}::uuid, numbered.id, numbered.account_id, wallet_id, offering_id, counted.base + place, type,
           transaction_hash, units, ${status}::text, from_address, to_address, block_timestamp, ${chain}::text,
           block_hash, log_index
    from numbered join counted on counted.id = numbered.account_id
    order by block_number, log_index, side
    returning ${shownColumns}`)
}

function addressesOf(logs: readonly TokenLog[]): string[] {
  return [...new Set(logs.flatMap(({ from, to }) => (from ? [from, to] : [to])))]
}

/** Their blocks are final now. */
export function confirmTransactions(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  blockHashes: readonly string[],
): Promise<ShownTransaction[]> {
  return tx.rows<ShownTransaction>(sql`
    with confirmed as (
      update cell.token_transaction set status = 'confirmed'
      where tenant_id = ${tenantId} and chain = ${chain} and block_hash = any (${blockHashes}) and status = 'pending'
      returning *
    )
    select ${shownColumns} from confirmed token_transaction order by account_id, position`)
}

/**
 * Takes what was shown of blocks that the chain no longer has, and closes the holes: rows of another chain may stand
 * behind them. The accounts are held first, so that nobody gets a position in between.
 */
export async function removeTransactions(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  blockHashes: readonly string[],
): Promise<void> {
  const isGone = sql`
    token_transaction.tenant_id = ${tenantId} and token_transaction.chain = ${chain}
    and token_transaction.block_hash = any (${blockHashes}) and token_transaction.status = 'pending'`
  await tx.rows(sql`
    select id from cell.account
    where account.tenant_id = ${tenantId}
      and account.id in (select account_id from cell.token_transaction where ${isGone})
    order by id for no key update`)
  const holes = await tx.rows<{ accountId: string; first: string }>(sql`
    with gone as (
      delete from cell.token_transaction where ${isGone} returning account_id, position
    ), holes as (
      select account_id, min(position) as first, count(*) as many from gone group by account_id
    )
    update cell.account set transaction_count = transaction_count - holes.many
    from holes where account.tenant_id = ${tenantId} and account.id = holes.account_id
    returning account.id as "accountId", holes.first`)
  if (holes.length > 0) await closeHoles(tx, tenantId, holes)
}

/** In two steps, through numbers that nobody has: no two rows may have one position even for a moment. */
async function closeHoles(
  tx: Transaction,
  tenantId: string,
  holes: readonly { accountId: string; first: string }[],
): Promise<void> {
  const behind = sql`
    unnest(${holes.map(({ accountId }) => accountId)}::uuid[], ${holes.map(({ first }) => first)}::bigint[])
      as hole (account_id, first)`
  await Promise.all([
    tx.rows(sql`
      update cell.token_transaction set position = -1 - position from ${behind}
      where token_transaction.tenant_id = ${tenantId} and token_transaction.account_id = hole.account_id
        and position > hole.first`),
    tx.rows(sql`
      update cell.token_transaction set position = moved.position
      from (
        select token_transaction.id,
               hole.first - 1 + row_number() over (partition by hole.account_id order by position desc) as position
        from cell.token_transaction, ${behind}
        where token_transaction.tenant_id = ${tenantId} and token_transaction.account_id = hole.account_id
          and position < 0
      ) moved
      where token_transaction.tenant_id = ${tenantId} and token_transaction.id = moved.id`),
  ])
}
