import { readFile, writeFile } from 'node:fs/promises'
import type { Config } from '../base/config.ts'
import { newId } from '../base/ids.ts'
import { issueCredential } from '../credentials/issue-credential.ts'
import { Placement } from '../db/placement.ts'
import type { Databases } from '../db/pools.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../db/tenant-transaction.ts'
import { Vaults } from '../db/vault.ts'
import { type Scope, scopes } from '../http/scopes.ts'
import { insertOpenOffering } from '../offerings/offering.sql.ts'
import { addAdministrator } from '../tenants/add-administrator.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { tenantExists } from '../tenants/tenant.sql.ts'

export interface Demo {
  base_url: string
  tenants: {
    tenant_id: string
    name: string
    credentials: { client_id: string; client_secret: string; scopes: readonly Scope[] }[]
  }[]
  offering_id: string
}

/** Two tenants to try things with, the same at every start: their secrets can only be known from the file. */
export async function ensureDemo(
  databases: Databases,
  config: Config,
  { file, baseUrl }: { file: string; baseUrl: string },
): Promise<Demo> {
  const known = await readDemo(file)
  const isThere = known && (await hasTenants(databases, known))
  const demo = isThere ? { ...known, base_url: baseUrl } : await makeDemo(databases, config, baseUrl)
  await writeFile(file, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 })
  return demo
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo
  } catch {
    return undefined
  }
}

async function hasTenants(databases: Databases, { tenants }: Demo): Promise<boolean> {
  const found = await Promise.all(
    tenants.map(({ tenant_id: tenantId }) =>
      inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) => tenantExists(tx, tenantId)),
    ),
  )
  return found.every(Boolean)
}

async function makeDemo(databases: Databases, config: Config, baseUrl: string): Promise<Demo> {
  const [cell = 'main'] = config.cells.keys()
  const tenant = async (name: string, credentialNames: string[]) => {
    const tenantId = await createTenant(databases, new Vaults(config.dataMasterKeys), { name, cell })
    const credentials = await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
      await addAdministrator(tx, { tenantId, name: `Administrator of ${name}`, email: 'administrator@localhost' })
      const issued: Demo['tenants'][number]['credentials'] = []
      for (const credentialName of credentialNames) {
        const wanted = { tenantId, name: credentialName, scopes, defaultVersion: null, requestsPerMinute: 30 }
        const { clientId, clientSecret } = await issueCredential(tx, config.secretPeppers, wanted)
        issued.push({ client_id: clientId, client_secret: clientSecret, scopes })
      }
      return issued
    })
    return { tenant_id: tenantId, name, credentials }
  }
  const first = await tenant('Demo', ['first credential', 'second credential'])
  const second = await tenant('Second demo', ['only credential'])
  const offeringId = newId()
  const places = { databases, placement: new Placement(databases) }
  await inTenantTransaction(places, { tenantId: first.tenant_id, access: 'write' }, (tx) =>
    insertOpenOffering(tx, {
      tenantId: first.tenant_id,
      offeringId,
      name: 'Harbour Bond 2031',
      symbol: 'HARB',
      blockchain: 'ethereum',
      tokenizationPlatform: 'permissioned-token',
      decimals: 8,
      type: 'DEBT_TOKENIZED',
      pricePerToken: '12.50',
      currency: 'EUR',
      totalUnits: '100000000000000',
      collectionAccount: {
        account_holder: 'Harbour Issuer GmbH',
        bank: 'Testbank',
        bic: 'COBADEFFXXX',
        iban: 'DE89370400440532013000',
        currency: 'EUR',
      },
    }),
  )
  return { base_url: baseUrl, tenants: [first, second], offering_id: offeringId }
}
