import { type ProviderRow, providerTable, type SummaryOf } from '../../access/providers/provider.sql.ts'
import type { ProviderKey } from '../../access/providers/provider-directory.sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { approvalHandlings, kycProviderKinds } from './kyc-provider.schema.ts'

export interface KycProviderRow extends ProviderRow {
  kind: (typeof kycProviderKinds)[number]
  approvals: (typeof approvalHandlings)[number]
  /** Longest validity of an approval. Null: it is valid as long as the provider says. */
  validityDays: number | null
  /** Levels whose reviews approve the KYC of a person, and the KYB of a company. */
  kycLevels: readonly string[]
  kybLevels: readonly string[]
  /** Null if it never reported a result. */
  lastResultAt: Date | null
}

export type KycProviderSummary = SummaryOf<KycProviderRow>

export const kycProviderTable = providerTable<KycProviderRow>(
  'kyc_provider',
  sql`
    approvals, validity_days as "validityDays", kyc_levels as "kycLevels", kyb_levels as "kybLevels",
    (select max(kyc_check.received_at) from cell.kyc_check
     where kyc_check.tenant_id = kyc_provider.tenant_id and kyc_check.provider_id = kyc_provider.id) as "lastResultAt"`,
)

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
    returning ${kycProviderTable.summaryColumns}`)
}

export async function updateLockedKycProvider(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
  provider: Pick<KycProviderRow, 'approvals' | 'validityDays' | 'kycLevels' | 'kybLevels'>,
): Promise<void> {
  await tx.rows(sql`
    update cell.kyc_provider
    set approvals = ${provider.approvals}, validity_days = ${provider.validityDays}, kyc_levels = ${provider.kycLevels},
        kyb_levels = ${provider.kybLevels}
    where tenant_id = ${tenantId} and id = ${providerId}`)
}
