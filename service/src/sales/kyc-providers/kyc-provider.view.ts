import type { Static } from 'typebox'
import { integratorPrefixes } from '../../platform/api/server/routes.ts'
import type { KycProvider } from './kyc-provider.schema.ts'
import type { KycProviderSummary } from './kyc-provider.sql.ts'

export function viewKycProvider(row: KycProviderSummary): Static<typeof KycProvider> {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    approvals: row.approvals,
    validity_days: row.validityDays,
    kyc_levels: [...row.kycLevels],
    kyb_levels: [...row.kybLevels],
    notification_path: `${integratorPrefixes[0]}/kyc-notifications/${row.id}`,
    previous_secret_ends_at: row.previousSecretEndsAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    last_result_at: row.lastResultAt?.toISOString() ?? null,
    disabled_at: row.disabledAt?.toISOString() ?? null,
  }
}
