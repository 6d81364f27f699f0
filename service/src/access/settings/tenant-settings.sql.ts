import type { Static } from 'typebox'
import type { SubjectFingerprint } from '../../platform/api/declare/approval.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { TenantSettings } from './tenant-settings.schema.ts'

/** The columns have the names of the API, so the row needs no view. */
export type TenantSettingsRow = Static<typeof TenantSettings>

const columns = sql`
  approval_expiry_days, refund_hold_days, refund_name_similarity_percent, retention_years, time_zone, wallet_proof_url,
  mails_proposals, mails_disabled_endpoints`

/** Creates the row with the defaults, when the tenant is created. */
export async function insertTenantSettings(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`insert into cell.tenant_settings (tenant_id) values (${tenantId})`)
}

export async function findTenantSettings(tx: Transaction, tenantId: string): Promise<TenantSettingsRow> {
  const found = await tx.row<TenantSettingsRow>(sql`
    select ${columns} from cell.tenant_settings where tenant_id = ${tenantId}`)
  if (!found) throw new Error('the tenant has no settings')
  return found
}

export async function lockTenantSettings(tx: Transaction, tenantId: string): Promise<TenantSettingsRow> {
  const found = await tx.row<TenantSettingsRow>(sql`
    select ${columns} from cell.tenant_settings where tenant_id = ${tenantId} for no key update`)
  if (!found) throw new Error('the tenant has no settings')
  return found
}

export async function updateLockedTenantSettings(tx: Transaction, tenantId: string, settings: TenantSettingsRow) {
  await tx.rows(sql`
    update cell.tenant_settings
    set approval_expiry_days = ${settings.approval_expiry_days}, refund_hold_days = ${settings.refund_hold_days},
        refund_name_similarity_percent = ${settings.refund_name_similarity_percent},
        retention_years = ${settings.retention_years}, time_zone = ${settings.time_zone},
        wallet_proof_url = ${settings.wallet_proof_url}, mails_proposals = ${settings.mails_proposals},
        mails_disabled_endpoints = ${settings.mails_disabled_endpoints}
    where tenant_id = ${tenantId}`)
}

export const tenantSettingsFingerprint: SubjectFingerprint = async ({ tenantId }, tx) => {
  const found = await tx.row<{ version: string }>(sql`
    select md5(settings::text) as version from cell.tenant_settings settings
    where settings.tenant_id = ${tenantId} for no key update of settings`)
  return found?.version ?? ''
}
