import type { SignerRow } from '../../access/providers/authenticate-signer.ts'
import type { ProviderKey } from '../../access/providers/provider-directory.sql.ts'
import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { approvalHandlings, kycProviderKinds } from './kyc-provider.schema.ts'

export const kycProviderFingerprint = rowFingerprint(sql`cell.kyc_provider`)

export interface KycProviderRow extends SignerRow {
  id: string
  kind: (typeof kycProviderKinds)[number]
  name: string
  approvals: (typeof approvalHandlings)[number]
  /** Longest validity of an approval. Null: it is valid as long as the provider says. */
  validityDays: number | null
  /** Levels whose reviews approve the KYC of a person, and the KYB of a company. */
  kycLevels: readonly string[]
  kybLevels: readonly string[]
  createdAt: Date
  /** Null if it never reported a result. */
  lastResultAt: Date | null
}

export type KycProviderSummary = Omit<KycProviderRow, 'secret' | 'previousSecret'>

const summaryColumns = sql`
  id, kind, name, approvals, validity_days as "validityDays", kyc_levels as "kycLevels", kyb_levels as "kybLevels",
  previous_secret_ends_at as "previousSecretEndsAt", created_at as "createdAt", disabled_at as "disabledAt",
  (select max(kyc_check.received_at) from cell.kyc_check
   where kyc_check.tenant_id = kyc_provider.tenant_id and kyc_check.provider_id = kyc_provider.id) as "lastResultAt"`

const columns = sql`${summaryColumns}, secret, previous_secret as "previousSecret"`

/** Returns undefined if an enabled provider has the same name. */
export function insertKycProvider(
  tx: Transaction,
  tenantId: string,
  provider: Omit<KycProviderSummary, 'previousSecretEndsAt' | 'createdAt' | 'disabledAt' | 'lastResultAt'> & {
    secret: Buffer
    now: Date
  },
): Promise<KycProviderSummary | undefined> {
  return tx.row<KycProviderSummary>(sql`
    insert into cell.kyc_provider (tenant_id, id, kind, name, approvals, validity_days, kyc_levels,
                                   kyb_levels, secret, created_at)
    values (${tenantId}, ${provider.id}, ${provider.kind}, ${provider.name}, ${provider.approvals},
            ${provider.validityDays}, ${provider.kycLevels}, ${provider.kybLevels}, ${provider.secret}, ${provider.now})
    on conflict (tenant_id, name) where disabled_at is null do nothing
    returning ${summaryColumns}`)
}

export function findKycProvider(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
): Promise<KycProviderRow | undefined> {
  return tx.row<KycProviderRow>(sql`
    select ${columns} from cell.kyc_provider where tenant_id = ${tenantId} and id = ${providerId}`)
}

export function lockKycProvider(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
): Promise<KycProviderRow | undefined> {
  return tx.row<KycProviderRow>(sql`
    select ${columns} from cell.kyc_provider where tenant_id = ${tenantId} and id = ${providerId}
    for no key update`)
}

export async function updateLockedKycProvider(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
  provider: KycProviderRow,
): Promise<void> {
  await tx.rows(sql`
    update cell.kyc_provider
    set secret = ${provider.secret}, previous_secret = ${provider.previousSecret},
        previous_secret_ends_at = ${provider.previousSecretEndsAt}, approvals = ${provider.approvals},
        validity_days = ${provider.validityDays}, kyc_levels = ${provider.kycLevels},
        kyb_levels = ${provider.kybLevels}, disabled_at = ${provider.disabledAt}
    where tenant_id = ${tenantId} and id = ${providerId}`)
}

/** Lets only one transaction of the tenant create a provider at a time. */
export async function lockKycProviders(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`kyc providers ${tenantId}`}, 0))`)
}

export async function countEnabledKycProviders(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.kyc_provider where tenant_id = ${tenantId} and disabled_at is null`)
  return found?.count ?? 0
}

export function countKycProviders(tx: Transaction, tenantId: string): Promise<number> {
  return boundedCount(tx, sql`from cell.kyc_provider where tenant_id = ${tenantId}`)
}

/** Sorts by creation time, because provider ids are random. */
export function selectKycProviders(
  tx: Transaction,
  tenantId: string,
  page: KeysetPage,
): Promise<(KycProviderSummary & KeysetRow)[]> {
  const cut = keysetCut(sql`id`, page, { created_at: { column: sql`created_at`, type: 'timestamptz' } })
  return tx.rows(sql`
    select ${summaryColumns}, ${cut.column} from cell.kyc_provider
    where tenant_id = ${tenantId} and ${cut.where} ${cut.orderBy}`)
}
