import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { givenLogs, type LogOwner, type TokenLog } from '../logs/token-log.sql.ts'

/** An inserted or confirmed transaction, as its event contains it. */
export interface ChangedTransaction {
  id: string
  accountId: string
  walletId: string
  offeringId: string
  type: string
  hash: string
  units: string
  status: string
}

const changedColumns: Sql = sql`
  token_transaction.id, token_transaction.account_id as "accountId", token_transaction.wallet_id as "walletId",
  token_transaction.offering_id as "offeringId", token_transaction.transaction_type as type,
  token_transaction.transaction_hash as hash, token_transaction.units::text as units, token_transaction.status`

/**
 * Inserts the transactions of these transfers: one for each account that sends or receives, after its existing ones.
 * Addresses that are not wallets of the tenant get none. Locks the accounts, whose counters assign the positions.
 */
export function insertTransactions(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  logs: readonly TokenLog[],
  status: 'pending' | 'confirmed',
): Promise<ChangedTransaction[]> {
  return tx.rows<ChangedTransaction>(sql`
    with given as (
      select * from ${givenLogs(logs, 'sent_id', 'received_id')}
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
    ), transactions as (
      select sides.*, sent_id as id, sender_account as account_id, sender_id as wallet_id, 0 as side,
             case when sender_account = receiver_account then 'TRANSFER' else 'SEND' end as type
      from sides where sender_id is not null
      union all
      select sides.*, received_id, receiver_account, receiver_id, 1,
             case when from_address is null then 'MINT' else 'RECEIVE' end
      from sides where receiver_id is not null and receiver_account is distinct from sender_account
    ), numbered as (
      select transactions.*,
             row_number() over (partition by account_id order by block_number, log_index, side) - 1 as index
      from transactions
    ), counted as (
      update cell.account set transaction_count = transaction_count + added.many
      from (select account_id, count(*) as many from numbered group by account_id) added
      where account.tenant_id = ${tenantId} and account.id = added.account_id
      returning account.id, account.transaction_count - added.many as base
    )
    insert into cell.token_transaction (tenant_id, id, account_id, wallet_id, offering_id, position, transaction_type,
                                        transaction_hash, units, status, tx_from, tx_to, block_timestamp, chain,
                                        block_hash, log_index)
    select ${tenantId}::uuid, numbered.id, numbered.account_id, wallet_id, offering_id, counted.base + index, type,
           transaction_hash, units, ${status}::text, from_address, to_address, block_timestamp, ${chain}::text,
           block_hash, log_index
    from numbered join counted on counted.id = numbered.account_id
    order by block_number, log_index, side
    returning ${changedColumns}`)
}

function addressesOf(logs: readonly TokenLog[]): string[] {
  return [...new Set(logs.flatMap(({ from, to }) => (from ? [from, to] : [to])))]
}

/** Confirms the pending transactions of blocks that are finalized now. */
export function confirmTransactions(tx: Transaction, { tenantId, chain }: LogOwner, blockHashes: readonly string[]) {
  return tx.rows<ChangedTransaction>(sql`
    with confirmed as (
      update cell.token_transaction set status = 'confirmed'
      where tenant_id = ${tenantId} and chain = ${chain} and block_hash = any (${blockHashes}) and status = 'pending'
      returning *
    )
    select ${changedColumns} from confirmed token_transaction order by account_id, position`)
}

/**
 * Deletes the pending transactions of orphaned blocks and closes the gaps in the positions: transactions of another
 * chain may have later positions. Locks the accounts first, so that no other transaction assigns a position meanwhile.
 */
export async function deleteOrphanedTransactions(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  blockHashes: readonly string[],
): Promise<void> {
  const isOrphaned = sql`
    token_transaction.tenant_id = ${tenantId} and token_transaction.chain = ${chain}
    and token_transaction.block_hash = any (${blockHashes}) and token_transaction.status = 'pending'`
  await tx.rows(sql`
    select id from cell.account
    where account.tenant_id = ${tenantId}
      and account.id in (select account_id from cell.token_transaction where ${isOrphaned})
    order by id for no key update`)
  const gaps = await tx.rows<{ accountId: string; first: string }>(sql`
    with deleted as (
      delete from cell.token_transaction where ${isOrphaned} returning id, account_id, position
    ), forgotten as (
      delete from cell.search_term using deleted
      where search_term.tenant_id = ${tenantId} and search_term.subject_id = deleted.id
    ), gaps as (
      select account_id, min(position) as first, count(*) as many from deleted group by account_id
    )
    update cell.account set transaction_count = transaction_count - gaps.many
    from gaps where account.tenant_id = ${tenantId} and account.id = gaps.account_id
    returning account.id as "accountId", gaps.first`)
  if (gaps.length > 0) await closeGaps(tx, tenantId, gaps)
}

/**
 * Closes gaps in two steps, through negative positions: the unique index is checked per row, even within a statement.
 */
async function closeGaps(
  tx: Transaction,
  tenantId: string,
  gaps: readonly { accountId: string; first: string }[],
): Promise<void> {
  const gapRows = sql`
    unnest(${gaps.map(({ accountId }) => accountId)}::uuid[], ${gaps.map(({ first }) => first)}::bigint[])
      as gap (account_id, first)`
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      update cell.token_transaction set position = -1 - position from ${gapRows}
      where token_transaction.tenant_id = ${tenantId} and token_transaction.account_id = gap.account_id
        and position > gap.first`),
    (tx) =>
      tx.rows(sql`
      update cell.token_transaction set position = moved.position
      from (
        select token_transaction.id,
               gap.first - 1 + row_number() over (partition by gap.account_id order by position desc) as position
        from cell.token_transaction, ${gapRows}
        where token_transaction.tenant_id = ${tenantId} and token_transaction.account_id = gap.account_id
          and position < 0
      ) moved
      where token_transaction.tenant_id = ${tenantId} and token_transaction.id = moved.id`),
  )
}
