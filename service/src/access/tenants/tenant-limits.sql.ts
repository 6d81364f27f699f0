import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { CellLimits, DirectoryLimits } from './tenant-limits.ts'

const directoryColumns = sql`
  requests_per_minute_max as "requestsPerMinute", credentials_max as credentials, users_max as users,
  personal_tokens_max as "personalTokens", invitations_per_day_max as "invitationsPerDay"`

/**
 * Locks the limits, so that the second of two concurrent requests counts what the first one added. Returns undefined if
 * the tenant does not exist. Lock the tenant before its users and credentials.
 */
export function lockDirectoryLimits(tx: Transaction, tenantId: string): Promise<DirectoryLimits | undefined> {
  return tx.row<DirectoryLimits>(sql`
    select ${directoryColumns} from directory.tenant where id = ${tenantId} for no key update`)
}

/** Like lockDirectoryLimits, for a tenant that must exist. */
export async function lockKnownLimits(tx: Transaction, tenantId: string): Promise<DirectoryLimits> {
  const limits = await lockDirectoryLimits(tx, tenantId)
  if (!limits) throw new Error('the tenant does not exist')
  return limits
}

export async function updateDirectoryLimits(tx: Transaction, tenantId: string, limits: DirectoryLimits): Promise<void> {
  await tx.rows(sql`
    update directory.tenant
    set requests_per_minute_max = ${limits.requestsPerMinute}, credentials_max = ${limits.credentials},
        users_max = ${limits.users}, personal_tokens_max = ${limits.personalTokens},
        invitations_per_day_max = ${limits.invitationsPerDay}
    where id = ${tenantId}`)
}

/** Reads without a lock, because every new account updates the row. Callers lock what they count. */
export async function findCellLimits(tx: Transaction, tenantId: string): Promise<CellLimits> {
  const limits = await tx.row<CellLimits>(sql`
    select payment_providers_max as "paymentProviders", webhook_endpoints_max as "webhookEndpoints",
           file_mebibytes_max as "fileMebibytes"
    from cell.tenant where id = ${tenantId}`)
  if (!limits) throw new Error('the cell does not have the tenant')
  return limits
}

export async function updateCellLimits(tx: Transaction, tenantId: string, limits: CellLimits): Promise<void> {
  await tx.rows(sql`
    update cell.tenant
    set payment_providers_max = ${limits.paymentProviders}, webhook_endpoints_max = ${limits.webhookEndpoints},
        file_mebibytes_max = ${limits.fileMebibytes}
    where id = ${tenantId}`)
}
