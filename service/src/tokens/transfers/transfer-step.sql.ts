import { zeroAddress } from 'viem'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { accountIneligibility } from '../../sales/blockers/ineligibility.sql.ts'
import type { RegistrationKey } from '../allow-list/registration.sql.ts'
import { givenLogs, type LogOwner, type TokenLog } from '../logs/token-log.sql.ts'
import { type TokenTransferRow, transferColumns } from './transfer.sql.ts'
import { isForced, transferReasons } from './transfer-status.ts'

/** Makes approved transfers READY whose receivers are registered, and returns them. */
export function setTransfersReady(tx: Transaction, tenantId: string, holders: readonly RegistrationKey[], now: Date) {
  return tx.rows<TokenTransferRow>(sql`
    update cell.token_transfer set status = 'READY', ready_at = ${now}
    from unnest(${holders.map(({ offeringId }) => offeringId)}::uuid[],
                ${holders.map(({ walletId }) => walletId)}::uuid[]) as given (offering_id, wallet_id)
    join cell.token_holder holder on holder.tenant_id = ${tenantId} and holder.offering_id = given.offering_id
      and holder.wallet_id = given.wallet_id and holder.is_registered
    where token_transfer.tenant_id = ${tenantId} and token_transfer.offering_id = holder.offering_id
      and token_transfer.receiver_wallet_id = holder.wallet_id and token_transfer.status = 'APPROVED'
    returning ${transferColumns}`)
}

/** Selects the transfers between holders that move units: neither mints nor burns. */
export function movesOf(logs: readonly TokenLog[]): TokenLog[] {
  return logs.filter(
    ({ kind, from, to, units }) =>
      kind === 'transfer' && from !== null && to !== zeroAddress && from !== to && units > 0n,
  )
}

/**
 * Makes READY transfers SENT that match these logs in token, wallets and units. Several equal requests match several
 * equal logs, the oldest first. Skips logs that already have a transfer. Forced transfers match only transactions of
 * the service: lock-up does not apply to them, so a holder who calls a sale an inheritance must not fulfil it alone.
 */
export async function setTransfersSent(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  moves: readonly TokenLog[],
): Promise<void> {
  // Locks the requests before it counts them: one that is being cancelled must not take the log of another one.
  await tx.rows(sql`
    select token_transfer.id from ${givenLogs(moves)}
    ${walletsOfLogs({ tenantId, chain }, sql`join`)}
    join cell.token_transfer on ${isOfLog(tenantId)} and token_transfer.status = 'READY'
    order by token_transfer.id for no key update of token_transfer`)
  await tx.rows(sql`
    with log as (
      select given.*, sender.id as sender_id, receiver.id as receiver_id, chain_tx.op_id,
             row_number() over (partition by given.offering_id, sender.id, receiver.id, given.units, chain_tx.op_id
                                order by given.block_timestamp, given.log_index) as nth
      from ${givenLogs(moves)}
      left join cell.chain_tx on ${isTransactionOfLog(tenantId)}
      ${walletsOfLogs({ tenantId, chain }, sql`join`)}
      where not exists (
        select from cell.token_transfer taken where taken.tenant_id = ${tenantId}
          and taken.block_hash = given.block_hash and taken.log_index = given.log_index)
    ), ready as (
      select token_transfer.id, offering_id, sender_wallet_id, receiver_wallet_id, units, op_id,
             row_number() over (partition by offering_id, sender_wallet_id, receiver_wallet_id, units, op_id
                                order by token_transfer.id) as nth
      from cell.token_transfer
      where token_transfer.tenant_id = ${tenantId} and token_transfer.status = 'READY'
        and token_transfer.offering_id = any (${moves.map(({ offeringId }) => offeringId)}::uuid[])
        and (op_id is not null or reason <> all (${transferReasons.filter(isForced)}::text[]))
    )
    update cell.token_transfer
    set status = 'SENT', block_hash = log.block_hash, log_index = log.log_index,
        transaction_hash = log.transaction_hash
    from log join ready on ready.offering_id = log.offering_id and ready.sender_wallet_id = log.sender_id
      and ready.receiver_wallet_id = log.receiver_id and ready.units = log.units
      and ready.op_id is not distinct from log.op_id and ready.nth = log.nth
    where token_transfer.tenant_id = ${tenantId} and token_transfer.id = ready.id and token_transfer.status = 'READY'`)
}

/** Condition for the service's own transactions: two persons have confirmed each forced transfer among them. */
function isTransactionOfLog(tenantId: string): Sql {
  return sql`chain_tx.tenant_id = ${tenantId} and chain_tx.hash = given.transaction_hash`
}

function walletsOfLogs({ tenantId, chain }: LogOwner, join: Sql): Sql {
  return sql`
    ${join} cell.wallet sender on sender.tenant_id = ${tenantId} and sender.blockchain = ${chain}
      and sender.public_address = given.from_address
    ${join} cell.wallet receiver on receiver.tenant_id = ${tenantId} and receiver.blockchain = ${chain}
      and receiver.public_address = given.to_address`
}

function isOfLog(tenantId: string): Sql {
  return sql`
    token_transfer.tenant_id = ${tenantId} and token_transfer.offering_id = given.offering_id
    and token_transfer.sender_wallet_id = sender.id and token_transfer.receiver_wallet_id = receiver.id
    and token_transfer.units = given.units`
}

/** Reopens the transfers of blocks that a reorg removed: the sender can, or may have to, send again. */
export async function reopenTransfers(tx: Transaction, { tenantId }: LogOwner, blockHashes: readonly string[]) {
  await tx.rows(sql`
    update cell.token_transfer
    set status = 'READY', block_hash = null, log_index = null, transaction_hash = null
    where tenant_id = ${tenantId} and status = 'SENT' and block_hash = any (${blockHashes})`)
}

/** Closes the transfers of these finalized logs. Returns them. */
export function setTransfersDone(tx: Transaction, { tenantId }: LogOwner, moves: readonly TokenLog[]) {
  return tx.rows<TokenTransferRow>(sql`
    update cell.token_transfer set status = 'DONE', closed_at = clock_timestamp()
    from ${givenLogs(moves)}
    where token_transfer.tenant_id = ${tenantId} and token_transfer.block_hash = given.block_hash
      and token_transfer.log_index = given.log_index and token_transfer.status = 'SENT'
    returning ${transferColumns}`)
}

/**
 * Records the finalized transfers that no request explains, with the rules that they broke. Skips those that the
 * service itself has sent, because two persons have confirmed them.
 */
export async function insertUnrequested(tx: Transaction, { tenantId, chain }: LogOwner, moves: readonly TokenLog[]) {
  await tx.rows(sql`
    insert into cell.unrequested_transfer (tenant_id, id, offering_id, block_hash, log_index, transaction_hash,
                                           block_timestamp, from_address, to_address, units, sender_account_id,
                                           receiver_account_id, breaches, found_at)
    select ${tenantId}::uuid, given.new_id, given.offering_id, given.block_hash, given.log_index,
           given.transaction_hash, given.block_timestamp, given.from_address, given.to_address, given.units,
           sender.account_id, receiver.account_id,
           array_remove(array[
             case when sender.id is null then 'sender_unknown' end,
             case when receiver.id is null then 'receiver_unknown' end,
             case when offering.lock_up_until > given.block_timestamp
                    and sender.account_id is distinct from receiver.account_id then 'locked_up' end], null)
           || coalesce((select ${accountIneligibility} from cell.eligibility rules
                        where rules.tenant_id = offering.tenant_id and rules.offering_id = offering.id
                          and account.id is not null and sender.account_id is distinct from account.id), '{}'),
           clock_timestamp()
    from ${givenLogs(moves, 'new_id')}
    join cell.offering on offering.tenant_id = ${tenantId} and offering.id = given.offering_id
    ${walletsOfLogs({ tenantId, chain }, sql`left join`)}
    left join cell.account on account.tenant_id = ${tenantId} and account.id = receiver.account_id
    where not exists (
        select from cell.token_transfer requested where requested.tenant_id = ${tenantId}
          and requested.block_hash = given.block_hash and requested.log_index = given.log_index)
      and not exists (select from cell.chain_tx where ${isTransactionOfLog(tenantId)})
    on conflict do nothing`)
}
