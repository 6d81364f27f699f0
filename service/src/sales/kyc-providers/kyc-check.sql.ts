import { allOf, countedPage, isEqual } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey, ApprovalStatus } from '../accounts/account.sql.ts'
import type { approvalKinds } from './kyc-check.schema.ts'
import type { KnownDecisions, KycCheckStatus } from './kyc-check-status.ts'
import type { HoldReason, KycOutcome, KycResult } from './kyc-result.ts'

export type ApprovalKind = (typeof approvalKinds)[number]

export interface CheckKey {
  tenantId: string
  checkId: string
}

export interface KycCheckRow {
  id: string
  providerId: string
  accountId: string
  kind: ApprovalKind
  outcome: KycOutcome
  isFinal: boolean
  decidedAt: Date
  receivedAt: Date
  validUntil: Date | null
  status: KycCheckStatus
  statusChangedAt: Date
  level: string | null
  applicantType: KycResult['applicantType']
  /** Reason why an approval does not count; null if it does. */
  heldBecause: HoldReason | null
}

const columns = sql`
  kyc_check.id, kyc_check.provider_id as "providerId", kyc_check.account_id as "accountId", kyc_check.kind,
  kyc_check.outcome, kyc_check.is_final as "isFinal", kyc_check.decided_at as "decidedAt",
  kyc_check.received_at as "receivedAt", kyc_check.valid_until as "validUntil", kyc_check.status,
  kyc_check.status_changed_at as "statusChangedAt", kyc_check.level_name as level,
  kyc_check.applicant_type as "applicantType", kyc_check.held_because as "heldBecause"`

/** Finds the provider's earlier report under this reference; undefined if it is new. */
export function findCheckByReference(
  tx: Transaction,
  { tenantId, providerId, referenceHash }: { tenantId: string; providerId: string; referenceHash: string },
): Promise<KycCheckRow | undefined> {
  return tx.row<KycCheckRow>(sql`
    select ${columns} from cell.kyc_check
    where kyc_check.tenant_id = ${tenantId} and kyc_check.provider_id = ${providerId}
      and kyc_check.reference_hash = ${referenceHash}`)
}

/** Call it with the account locked, so that no other result of the account arrives at the same time. */
export async function findKnownDecisions(
  tx: Transaction,
  { tenantId, accountId }: AccountKey,
  { kind, accountStatus }: { kind: ApprovalKind; accountStatus: ApprovalStatus },
): Promise<KnownDecisions> {
  const found = await tx.row<Omit<KnownDecisions, 'accountStatus'>>(sql`
    select coalesce(
             (select account_approval.decided_at from cell.account_approval
              where account_approval.tenant_id = ${tenantId} and account_approval.account_id = ${accountId}
                and account_approval.kind = ${kind}),
             case when ${accountStatus}::text <> 'NEW' then account.created_at end) as "statusDecidedAt",
           (select max(kyc_check.decided_at) from cell.kyc_check
            where kyc_check.tenant_id = ${tenantId} and kyc_check.account_id = ${accountId}
              and kyc_check.kind = ${kind} and kyc_check.held_because is null) as "lastCheckDecidedAt",
           exists (
             select from cell.kyc_check
             where kyc_check.tenant_id = ${tenantId} and kyc_check.account_id = ${accountId}
               and kyc_check.kind = ${kind} and kyc_check.status = 'queued' and kyc_check.is_final
           ) as "isFinalRejectionQueued"
    from cell.account where account.tenant_id = ${tenantId} and account.id = ${accountId}`)
  if (!found) throw new Error('the locked account was not found')
  return { accountStatus, ...found }
}

/** Returns false if the provider has reported this result before. */
export async function insertKycCheck(
  tx: Transaction,
  tenantId: string,
  check: KycCheckRow & { referenceHash: string; details: Buffer },
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into cell.kyc_check (tenant_id, id, provider_id, reference_hash, account_id, kind, outcome, is_final,
                                decided_at, received_at, valid_until, status, status_changed_at, level_name,
                                applicant_type, held_because, details)
    values (${tenantId}, ${check.id}, ${check.providerId}, ${check.referenceHash}, ${check.accountId}, ${check.kind},
            ${check.outcome}, ${check.isFinal}, ${check.decidedAt}, ${check.receivedAt}, ${check.validUntil},
            ${check.status}, ${check.statusChangedAt}, ${check.level}, ${check.applicantType}, ${check.heldBecause},
            ${check.details})
    on conflict (tenant_id, provider_id, reference_hash) do nothing
    returning id`)
  return inserted !== undefined
}

/** Reads without a lock. To lock a check, lock its account first, as a notification does. */
export function findKycCheck(tx: Transaction, { tenantId, checkId }: CheckKey): Promise<KycCheckRow | undefined> {
  return tx.row<KycCheckRow>(sql`
    select ${columns} from cell.kyc_check where kyc_check.tenant_id = ${tenantId} and kyc_check.id = ${checkId}`)
}

export function lockKycCheck(tx: Transaction, { tenantId, checkId }: CheckKey): Promise<KycCheckRow | undefined> {
  return tx.row<KycCheckRow>(sql`
    select ${columns} from cell.kyc_check where kyc_check.tenant_id = ${tenantId} and kyc_check.id = ${checkId}
    for no key update`)
}

export async function setKycCheckStatus(
  tx: Transaction,
  { tenantId, checkId }: CheckKey,
  { status, now }: { status: KycCheckStatus; now: Date },
): Promise<void> {
  await tx.rows(sql`
    update cell.kyc_check set status = ${status}, status_changed_at = ${now}
    where tenant_id = ${tenantId} and id = ${checkId}`)
}

/** Takes older results of the locked account, which this one replaces, from the queue. */
export async function outdateQueuedChecks(
  tx: Transaction,
  tenantId: string,
  { id, accountId, kind, decidedAt }: Pick<KycCheckRow, 'id' | 'accountId' | 'kind' | 'decidedAt'>,
  { now, keepsFinal }: { now: Date; keepsFinal: boolean },
): Promise<void> {
  await tx.rows(sql`
    update cell.kyc_check set status = 'outdated', status_changed_at = ${now}
    where tenant_id = ${tenantId} and account_id = ${accountId} and kind = ${kind} and status = 'queued'
      and decided_at <= ${decidedAt} and id <> ${id} and not (${keepsFinal} and is_final)`)
}

/** Returns the sealed details; null once the account is erased, undefined if the check does not exist. */
export async function findKycDetails(
  tx: Transaction,
  { tenantId, checkId }: CheckKey,
): Promise<Buffer | null | undefined> {
  const found = await tx.row<{ details: Buffer | null }>(sql`
    select details from cell.kyc_check where tenant_id = ${tenantId} and id = ${checkId}`)
  return found?.details
}

export interface NamedKycCheckRow extends KycCheckRow, KeysetRow {
  id: string
  providerName: string
  accountName: string
}

const names = sql`kyc_provider.name as "providerName", account.full_name as "accountName"`
const joins = sql`
  join cell.kyc_provider on kyc_provider.tenant_id = kyc_check.tenant_id and kyc_provider.id = kyc_check.provider_id
  join cell.account on account.tenant_id = kyc_check.tenant_id and account.id = kyc_check.account_id`

export function findNamedKycCheck(tx: Transaction, { tenantId, checkId }: CheckKey) {
  return tx.row<NamedKycCheckRow>(sql`
    select ${columns}, ${names} from cell.kyc_check ${joins}
    where kyc_check.tenant_id = ${tenantId} and kyc_check.id = ${checkId}`)
}

export interface KycCheckFilter {
  status?: readonly string[] | undefined
  account_id?: string | undefined
}

function matching(tenantId: string, { account_id: accountId }: KycCheckFilter): Sql {
  return allOf([sql`kyc_check.tenant_id = ${tenantId}`, isEqual(sql`kyc_check.account_id`, accountId?.toLowerCase())])
}

export function pageOfKycChecks(tx: Transaction, tenantId: string, filter: KycCheckFilter, page: KeysetPage) {
  return countedPage<NamedKycCheckRow>(tx, page, {
    columns: sql`${columns}, ${names}`,
    from: sql`cell.kyc_check`,
    joins,
    where: matching(tenantId, filter),
    id: sql`kyc_check.id`,
    filter: { column: sql`kyc_check.status`, values: filter.status },
  })
}

/** Returns everything that providers said about a person, for the export of their data. */
export function selectKycData(tx: Transaction, { tenantId, accountId }: AccountKey, limit: number) {
  return tx.rows<KycCheckRow & { details: Buffer | null }>(sql`
    select ${columns}, kyc_check.details from cell.kyc_check
    where kyc_check.tenant_id = ${tenantId} and kyc_check.account_id = ${accountId}
    order by kyc_check.id limit ${limit}::bigint`)
}

/** Erases what providers said about an account. Returns the number of checks that had details. */
export async function eraseKycDetails(
  tx: Transaction,
  { tenantId, accountId }: AccountKey,
  now: Date,
): Promise<number> {
  const erased = await tx.rows(sql`
    update cell.kyc_check
    set details = null, status = case status when 'queued' then 'dismissed' else status end,
        status_changed_at = case status when 'queued' then ${now}::timestamptz else status_changed_at end
    where tenant_id = ${tenantId} and account_id = ${accountId} and details is not null
    returning id`)
  return erased.length
}
