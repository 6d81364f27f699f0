import { asOwner } from './database.ts'
import type { TestInstallation } from './service.ts'

/** An open offering, until operators can make one: written by the owner of the tables. */
export async function insertOffering(
  installation: TestInstallation,
  tenantId: string,
  change: Record<string, unknown> = {},
  url = installation.config.databaseUrl,
): Promise<string> {
  const row: Record<string, unknown> = {
    tenant_id: tenantId,
    id: crypto.randomUUID(),
    name: 'Harbour Bond',
    symbol: 'HARB',
    blockchain: 'ethereum',
    tokenization_platform: 'permissioned-token',
    decimals: 8,
    type: 'DEBT_TOKENIZED',
    price_per_token: '12.50',
    status: 'OPEN',
    currency: 'EUR',
    total_units: '100000000000000',
    ...change,
  }
  const names = Object.keys(row)
  await asOwner(url, (client) =>
    client.query(
      `insert into cell.offering (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`,
      Object.values(row),
    ),
  )
  return String(row['id'])
}
