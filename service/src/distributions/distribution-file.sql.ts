import { countedPage } from '../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../platform/api/declare/keyset-list.ts'
import type { Money } from '../platform/base/money.ts'
import { readMinor } from '../platform/postgres/read-money.ts'
import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { accountApproval } from '../sales/accounts/account.sql.ts'
import {
  type EntitlementRow,
  entitlementColumns,
  joinDistribution,
  readEntitlementAmounts,
} from '../sales/entitlements/entitlement.sql.ts'
import type { DistributionKey } from './distribution.sql.ts'

export interface DistributionFileKey {
  tenantId: string
  fileId: string
}

export interface DistributionFileRow {
  id: string
  distributionId: string
  number: number
  status: 'open' | 'downloaded'
  transferCount: number
  amount: Money
  currency: string
  createdAt: Date
  downloadedAt: Date | null
}

const columns = sql`
  distribution_file.id, distribution_file.distribution_id as "distributionId", distribution_file.number,
  distribution_file.status, distribution_file.transfer_count as "transferCount",
  distribution_file.amount_minor::text as amount, distribution.currency,
  distribution_file.created_at as "createdAt", distribution_file.downloaded_at as "downloadedAt"`

const joinDistributionOfFile = sql`
  join cell.distribution on distribution.tenant_id = distribution_file.tenant_id
    and distribution.id = distribution_file.distribution_id`

/** An entitlement with the facts that decide whom it pays. */
export interface PayableEntitlement extends EntitlementRow {
  accountId: string
  accountName: string
  /** Encrypted. */
  bankAccount: Buffer
  bankAccountVersion: number
  bankAccountChangedAt: Date | null
  isPublished: boolean
  isHeld: boolean
}

/** The account is not approved, and two persons have not released the entitlement for the account's current status. */
const isHeld = sql`
  (${accountApproval} is distinct from 'APPROVED' and entitlement.released_status is distinct from ${accountApproval})`

/**
 * Locks the next entitlements of accounts, by id: those that integrators do not see yet, and due ones in no open file.
 * The lock keeps other transactions from paying or returning them.
 */
export function lockEntitlementsToPay(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  { after, limit }: { after: string | null; limit: number },
): Promise<PayableEntitlement[]> {
  return tx
    .rows<PayableEntitlement>(sql`
    select ${entitlementColumns}, account.full_name as "accountName", account.bank_account as "bankAccount",
           account.bank_account_version as "bankAccountVersion",
           account.bank_account_changed_at as "bankAccountChangedAt",
           entitlement.account_position is not null as "isPublished", ${isHeld} as "isHeld"
    from cell.entitlement ${joinDistribution}
    join cell.account on account.tenant_id = entitlement.tenant_id and account.id = entitlement.account_id
    where entitlement.tenant_id = ${tenantId} and entitlement.distribution_id = ${distributionId}
      and entitlement.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      and (entitlement.account_position is null
           or entitlement.status = 'due' and not exists (
             select from cell.distribution_transfer
             where distribution_transfer.tenant_id = entitlement.tenant_id
               and distribution_transfer.entitlement_id = entitlement.id and distribution_transfer.is_open))
    order by entitlement.id limit ${limit}::bigint
    for update of entitlement`)
    .then(readEntitlementAmounts)
}

/** Numbers entitlements within their accounts. Locks the accounts by id, so that two calls cannot deadlock. */
export async function publishEntitlements(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.rows(sql`
    select account.id from cell.account
    where account.tenant_id = ${tenantId} and account.id in (
      select account_id from cell.entitlement where tenant_id = ${tenantId} and id = any (${ids}::uuid[]))
    order by account.id for no key update`)
  await tx.rows(sql`
    with numbered as (
      select id, account_id, row_number() over (partition by account_id order by id) - 1 as index
      from cell.entitlement where tenant_id = ${tenantId} and id = any (${ids}::uuid[])
    ), placed as (
      update cell.entitlement set account_position = account.entitlement_count + numbered.index
      from numbered join cell.account on account.tenant_id = ${tenantId} and account.id = numbered.account_id
      where entitlement.tenant_id = ${tenantId} and entitlement.id = numbered.id
    )
    update cell.account set entitlement_count = entitlement_count + added.count
    from (select account_id, count(*) as count from numbered group by account_id) added
    where account.tenant_id = ${tenantId} and account.id = added.account_id`)
}

export interface NewTransfer {
  entitlementId: string
  creditor: Buffer
}

/** Inserts a file with its transfers. Its number follows the last one of the distribution, whose row is locked. */
export async function insertFile(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  file: { id: string; number: number; amount: Money; transfers: readonly NewTransfer[]; now: Date },
): Promise<void> {
  const { id, transfers } = file
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      insert into cell.distribution_file (tenant_id, id, distribution_id, number, transfer_count, amount_minor,
                                          created_at)
      values (${tenantId}, ${id}, ${distributionId}, ${file.number}, ${transfers.length},
              ${String(file.amount.minor)}, ${file.now})`),
    (tx) =>
      tx.rows(sql`
      insert into cell.distribution_transfer (tenant_id, file_id, entitlement_id, creditor)
      select ${tenantId}, ${id}, entitlement_id, creditor
      from unnest(${transfers.map(({ entitlementId }) => entitlementId)}::uuid[],
                  ${transfers.map(({ creditor }) => creditor)}::bytea[]) as transfer (entitlement_id, creditor)`),
  )
}

export async function setLeftOut(
  tx: Transaction,
  tenantId: string,
  leftOut: readonly { id: string; reason: string | null }[],
): Promise<void> {
  await tx.rows(sql`
    update cell.entitlement set left_out = given.reason
    from unnest(${leftOut.map(({ id }) => id)}::uuid[], ${leftOut.map(({ reason }) => reason)}::text[])
      as given (id, reason)
    where entitlement.tenant_id = ${tenantId} and entitlement.id = given.id`)
}

export type LockedFile = DistributionFileRow & { file: Buffer | null }

export function lockFile(tx: Transaction, { tenantId, fileId }: DistributionFileKey): Promise<LockedFile | undefined> {
  return tx
    .row<LockedFile>(sql`
    select ${columns}, distribution_file.file from cell.distribution_file ${joinDistributionOfFile}
    where distribution_file.tenant_id = ${tenantId} and distribution_file.id = ${fileId}
    for update of distribution_file`)
    .then(readMinor('amount'))
}

export type TransferredEntitlement = EntitlementRow & { creditor: Buffer; isHeld: boolean }

/** Locks the entitlements of a file that are still due. */
export function lockDueEntitlements(
  tx: Transaction,
  { tenantId, fileId }: DistributionFileKey,
): Promise<TransferredEntitlement[]> {
  return tx
    .rows<TransferredEntitlement>(sql`
    select ${entitlementColumns}, distribution_transfer.creditor, ${isHeld} as "isHeld"
    from cell.distribution_transfer
    join cell.entitlement on entitlement.tenant_id = distribution_transfer.tenant_id
      and entitlement.id = distribution_transfer.entitlement_id
    ${joinDistribution}
    join cell.account on account.tenant_id = entitlement.tenant_id and account.id = entitlement.account_id
    where distribution_transfer.tenant_id = ${tenantId} and distribution_transfer.file_id = ${fileId}
      and entitlement.status = 'due'
    order by entitlement.id for update of entitlement`)
    .then(readEntitlementAmounts)
}

/** Stores the file and marks the entitlements that it pays as sent. The caller has locked both. */
export async function setFileDownloaded(
  tx: Transaction,
  { tenantId, fileId }: DistributionFileKey,
  { file, paid, now }: { file: Buffer; paid: readonly string[]; now: Date },
): Promise<void> {
  const [sent] = await tx.batch(
    (tx) =>
      tx.rows(sql`
      update cell.entitlement set status = 'sent', left_out = null, changed_at = ${now}
      where tenant_id = ${tenantId} and id = any (${paid}::uuid[]) and status = 'due' returning 1`),
    (tx) =>
      tx.rows(sql`
      update cell.distribution_file set status = 'downloaded', downloaded_at = ${now}, file = ${file}
      where tenant_id = ${tenantId} and id = ${fileId} and status = 'open'`),
    (tx) =>
      tx.rows(sql`
      update cell.distribution_transfer set is_open = false
      where tenant_id = ${tenantId} and file_id = ${fileId} and entitlement_id = any (${paid}::uuid[])`),
    (tx) =>
      tx.rows(sql`
      delete from cell.distribution_transfer
      where tenant_id = ${tenantId} and file_id = ${fileId} and entitlement_id <> all (${paid}::uuid[])`),
  )
  if (sent.length !== paid.length) throw new Error('a locked entitlement changed')
}

export function pageOfFiles(tx: Transaction, { tenantId, distributionId }: DistributionKey, page: KeysetPage) {
  return countedPage<DistributionFileRow>(tx, page, {
    columns,
    from: sql`cell.distribution_file`,
    joins: joinDistributionOfFile,
    where: sql`
      distribution_file.tenant_id = ${tenantId} and distribution_file.distribution_id = ${distributionId}`,
    id: sql`distribution_file.id`,
    read: readMinor('amount'),
  })
}
