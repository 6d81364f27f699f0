import type { DistributionKey } from '../distributions/distribution.sql.ts'
import type { Money } from '../platform/base/money.ts'
import { readMinor } from '../platform/postgres/read-money.ts'
import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { RegistrationKey } from '../tokens/allow-list/registration.sql.ts'

export async function selectDistributionFiles(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from cell.distribution_file
    where tenant_id = ${tenantId} and distribution_id = ${distributionId} order by number`)
  return rows.map(({ id }) => id)
}

/** Selects the entitlements that were sent to the bank, with the amount that it pays. */
export async function selectSentEntitlements(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
): Promise<{ id: string; amount: Money }[]> {
  const rows = await tx.rows<{ id: string; amount: Money }>(sql`
    select entitlement.id, entitlement.net_minor::text as amount, distribution.currency
    from cell.entitlement
    join cell.distribution on distribution.tenant_id = entitlement.tenant_id
      and distribution.id = entitlement.distribution_id
    where entitlement.tenant_id = ${tenantId} and entitlement.distribution_id = ${distributionId}
      and entitlement.status = 'sent'
    order by entitlement.id`)
  return readMinor('amount')(rows)
}

/** Finds the oldest enabled provider of kind standard. */
export async function findStandardKycProvider(tx: Transaction, tenantId: string): Promise<string | undefined> {
  const found = await tx.row<{ id: string }>(sql`
    select id from cell.kyc_provider
    where tenant_id = ${tenantId} and kind = 'standard' and disabled_at is null
    order by created_at, id limit 1`)
  return found?.id
}

/** Records that a simulation has registered the wallet on the chain. An op under way finds nothing left to do. */
export async function setHolderRegistered(
  tx: Transaction,
  tenantId: string,
  { offeringId, walletId }: RegistrationKey,
): Promise<void> {
  await tx.rows(sql`
    update cell.token_holder set is_registered = true
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and wallet_id = ${walletId}`)
}
