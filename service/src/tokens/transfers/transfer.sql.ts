import {
  allOf,
  boundedCount,
  type CreatedRange,
  isCreatedWithin,
  isEqual,
  isOneOf,
  keysetCut,
  pageCondition,
} from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import type { OfferingOf } from '../../platform/api/declare/offering-of.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../../sales/accounts/account.sql.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import type { TransferReason, TransferStatus } from './transfer-status.ts'

export interface TransferKey {
  tenantId: string
  transferId: string
}

export interface TokenTransferRow {
  id: string
  offeringId: string
  senderAccountId: string
  senderWalletId: string
  receiverAccountId: string
  receiverWalletId: string
  units: string
  reason: TransferReason
  status: TransferStatus
  rejection: string | null
  opId: string | null
  transactionHash: string | null
  createdAt: Date
  approvedAt: Date | null
  readyAt: Date | null
  closedAt: Date | null
}

export const transferColumns: Sql = sql`
  token_transfer.id, token_transfer.offering_id as "offeringId",
  token_transfer.sender_account_id as "senderAccountId", token_transfer.sender_wallet_id as "senderWalletId",
  token_transfer.receiver_account_id as "receiverAccountId", token_transfer.receiver_wallet_id as "receiverWalletId",
  token_transfer.units::text as units, token_transfer.reason, token_transfer.status, token_transfer.rejection,
  token_transfer.op_id as "opId", token_transfer.transaction_hash as "transactionHash",
  token_transfer.created_at as "createdAt", token_transfer.approved_at as "approvedAt",
  token_transfer.ready_at as "readyAt", token_transfer.closed_at as "closedAt"`

/** A transfer with names to show instead of its ids. */
export type NamedTransferRow = TokenTransferRow & {
  offering_name: string
  decimals: number
  sender_name: string
  receiver_name: string
}

/** Names to show instead of the ids of a row. Subqueries rather than joins, so that a page stays one scan. */
export const transferNames = (row: Sql): Sql => sql`
  (select offering.name from cell.offering
   where offering.tenant_id = ${row}.tenant_id and offering.id = ${row}.offering_id) as offering_name,
  (select offering.decimals from cell.offering
   where offering.tenant_id = ${row}.tenant_id and offering.id = ${row}.offering_id) as decimals,
  (select account.full_name from cell.account
   where account.tenant_id = ${row}.tenant_id and account.id = ${row}.sender_account_id) as sender_name,
  (select account.full_name from cell.account
   where account.tenant_id = ${row}.tenant_id and account.id = ${row}.receiver_account_id) as receiver_name`

/** Any change of the row voids its open proposals. */
export const transferFingerprint = rowFingerprint(sql`cell.token_transfer`)

type SetLater = 'status' | 'rejection' | 'opId' | 'transactionHash' | 'approvedAt' | 'readyAt' | 'closedAt'

export async function insertTransfer(
  tx: Transaction,
  tenantId: string,
  row: Omit<TokenTransferRow, SetLater>,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.token_transfer (tenant_id, id, offering_id, sender_account_id, sender_wallet_id,
                                     receiver_account_id, receiver_wallet_id, units, reason, created_at)
    values (${tenantId}, ${row.id}, ${row.offeringId}, ${row.senderAccountId}, ${row.senderWalletId},
            ${row.receiverAccountId}, ${row.receiverWalletId}, ${row.units}, ${row.reason}, ${row.createdAt})`)
}

export function findTransfer(tx: Transaction, { tenantId, transferId }: TransferKey) {
  return tx.row<TokenTransferRow>(sql`
    select ${transferColumns} from cell.token_transfer where tenant_id = ${tenantId} and id = ${transferId}`)
}

export function findNamedTransfer(tx: Transaction, { tenantId, transferId }: TransferKey) {
  return tx.row<NamedTransferRow>(sql`
    select ${transferColumns}, ${transferNames(sql`token_transfer`)} from cell.token_transfer
    where tenant_id = ${tenantId} and id = ${transferId}`)
}

export function lockTransfer(tx: Transaction, { tenantId, transferId }: TransferKey) {
  return tx.row<TokenTransferRow>(sql`
    select ${transferColumns} from cell.token_transfer where tenant_id = ${tenantId} and id = ${transferId}
    for no key update`)
}

/** Locks the request that the op executes; undefined for a forced transfer that was proposed as a token action. */
export function lockTransferOfOp(tx: Transaction, { tenantId, id }: Pick<ChainOp, 'tenantId' | 'id'>) {
  return tx.row<TokenTransferRow>(sql`
    select ${transferColumns} from cell.token_transfer
    where token_transfer.tenant_id = ${tenantId} and token_transfer.op_id = ${id}
    for no key update`)
}

export const offeringOfTransfer: OfferingOf = async ({ transferId = '' }, { tenantId, tx }) =>
  (await findTransfer(tx, { tenantId, transferId }))?.offeringId ?? null

/** Selects the next transfers for integrators, newest first. */
export function selectTransfersBefore(
  tx: Transaction,
  tenantId: string,
  { before, status, limit }: { before: string | undefined; status: string | undefined; limit: number },
): Promise<TokenTransferRow[]> {
  const where = allOf([
    sql`token_transfer.tenant_id = ${tenantId}`,
    isEqual(sql`token_transfer.status`, status),
    before === undefined ? undefined : sql`token_transfer.id < ${before}`,
  ])
  return tx.rows<TokenTransferRow>(sql`
    select ${transferColumns} from cell.token_transfer where ${where}
    order by token_transfer.id desc limit ${limit}::bigint`)
}

/** Selects the transfers that an account sends or receives, for the export of its data. */
export function selectTransfersOfAccount(tx: Transaction, { tenantId, accountId }: AccountKey, limit: number) {
  return tx.rows<TokenTransferRow>(sql`
    select ${transferColumns} from cell.token_transfer
    where token_transfer.tenant_id = ${tenantId}
      and (token_transfer.sender_account_id = ${accountId} or token_transfer.receiver_account_id = ${accountId})
    order by token_transfer.id limit ${limit}::bigint`)
}

export interface TransferFilter extends CreatedRange {
  status?: readonly string[] | undefined
  offering_id?: string | undefined
}

/** Counts the transfers, and selects a page of them. */
export function selectTokenTransfers(tx: Transaction, tenantId: string, filter: TransferFilter, page: KeysetPage) {
  const [id, from, column] = [sql`token_transfer.id`, sql`cell.token_transfer`, sql`token_transfer.status`]
  const others = allOf([
    sql`token_transfer.tenant_id = ${tenantId}`,
    isEqual(sql`token_transfer.offering_id`, filter.offering_id),
    isCreatedWithin(id, sql`token_transfer.created_at`, filter),
  ])
  const cut = keysetCut(id, page)
  const where = pageCondition(others, { id, from, column, values: filter.status, cut })
  return tx.batch(
    (tx) => boundedCount(tx, sql`from ${from} where ${allOf([others, isOneOf(column, filter.status)])}`),
    (tx) =>
      tx.rows<NamedTransferRow & KeysetRow>(sql`
      select ${transferColumns}, ${transferNames(sql`token_transfer`)}, ${cut.column}
      from ${from} where ${where} ${cut.orderBy}`),
  )
}

/** Stores a step of a transfer whose row the caller has locked. */
export async function updateTransfer(
  tx: Transaction,
  { tenantId, transferId }: TransferKey,
  status: TransferStatus,
  change: Partial<Pick<TokenTransferRow, 'rejection' | 'opId' | 'approvedAt' | 'closedAt'>>,
): Promise<void> {
  await tx.rows(sql`
    update cell.token_transfer
    set status = ${status}, rejection = coalesce(${change.rejection ?? null}, rejection),
        op_id = coalesce(${change.opId ?? null}, op_id),
        approved_at = coalesce(${change.approvedAt ?? null}, approved_at),
        closed_at = coalesce(${change.closedAt ?? null}, closed_at)
    where tenant_id = ${tenantId} and id = ${transferId}`)
}
