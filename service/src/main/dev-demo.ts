import { readFile, writeFile } from 'node:fs/promises'
import type { Address } from 'viem'
import { issueCredential } from '../access/credentials/issue-credential.ts'
import { addUser } from '../access/tenants/add-user.ts'
import { createTenant } from '../access/tenants/create-tenant.ts'
import { tenantExists } from '../access/tenants/tenant.sql.ts'
import { issuePersonalToken } from '../access/users/issue-personal-token.ts'
import { type Scope, scopes } from '../platform/api/declare/scopes.ts'
import type { Config } from '../platform/base/config.ts'
import { Placement } from '../platform/db/placement.ts'
import type { Databases } from '../platform/db/pools.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../platform/db/tenant-transaction.ts'
import { Vaults } from '../platform/db/vault.ts'
import { draftOffering } from '../sales/offerings/operator/draft-offering.ts'
import { openDraft } from '../sales/offerings/operator/open-draft.ts'
import { createSigner } from '../tokens/signers/create-signer.ts'
import { Pkcs11Module } from '../tokens/signers/pkcs11-module.ts'
import { findSigner } from '../tokens/signers/signer.sql.ts'

export interface Demo {
  base_url: string
  operator_url: string
  tenants: {
    tenant_id: string
    name: string
    admin: { user_id: string; personal_token: string; expires_at: string }
    credentials: { client_id: string; client_secret: string; scopes: readonly Scope[] }[]
  }[]
  offering_id: string
  /** Where the first tenant's tokens are, and who signs for it there. */
  chain: { name: string; url: string; signer_address: Address; desk_address: Address }
}

/** Two tenants to try things with, the same at every start: their secrets can only be known from the file. */
export async function ensureDemo(
  databases: Databases,
  config: Config,
  file: string,
  { baseUrl, operatorUrl, chainUrl }: { baseUrl: string; operatorUrl: string; chainUrl: string },
): Promise<Demo> {
  const known = await readDemo(file)
  // One that an older release wrote has nobody who could call the operator's API.
  const isThere = known?.operator_url !== undefined && (await hasTenants(databases, known))
  const made = isThere ? known : await makeDemo(databases, config)
  const signer = await ensureSigner(databases, config, made.tenants[0]?.tenant_id ?? '')
  const chain = { name: demoChain, url: chainUrl, ...signer }
  const demo = { ...made, base_url: baseUrl, operator_url: operatorUrl, chain }
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

async function makeDemo(databases: Databases, config: Config): Promise<Pick<Demo, 'tenants' | 'offering_id'>> {
  const [cell = 'main'] = config.cells.keys()
  const tenant = async (name: string, credentialNames: string[]) => {
    const tenantId = await createTenant(databases, new Vaults(config.dataMasterKeys), { name, cell })
    const made = await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
      const added = await addUser(tx, {
        tenantId,
        name: `User of ${name}`,
        email: 'admin@localhost',
        role: 'admin',
      })
      if ('refused' in added) throw new Error(added.refused)
      const { userId } = added
      const { token, expiresAt } = await issuePersonalToken(tx, config.secretPeppers, {
        tenantId,
        userId,
        name: 'npm run dev',
        now: new Date(),
        days: demoTokenDays,
      })
      const issued: Demo['tenants'][number]['credentials'] = []
      for (const credentialName of credentialNames) {
        const wanted = { tenantId, name: credentialName, scopes, defaultVersion: null, requestsPerMinute: 30 }
        const { clientId, clientSecret } = await issueCredential(tx, config.secretPeppers, wanted)
        issued.push({ client_id: clientId, client_secret: clientSecret, scopes })
      }
      const admin = {
        user_id: userId,
        personal_token: token,
        expires_at: expiresAt.toISOString(),
      }
      return { admin, credentials: issued }
    })
    return { tenant_id: tenantId, name, ...made }
  }
  const first = await tenant('Demo', ['first credential', 'second credential'])
  const second = await tenant('Second demo', ['only credential'])
  const places = { databases, placement: new Placement(databases) }
  const offeringId = await inTenantTransaction(places, { tenantId: first.tenant_id, access: 'write' }, async (tx) => {
    const drafted = await draftOffering(tx, first.tenant_id, demoOffering)
    await openDraft(tx, { tenantId: first.tenant_id, offeringId: drafted }, new Date())
    return drafted
  })
  return { tenants: [first, second], offering_id: offeringId }
}

/** One that an older release made has none. */
async function ensureSigner(
  databases: Databases,
  config: Config,
  tenantId: string,
): Promise<Pick<Demo['chain'], 'signer_address' | 'desk_address'>> {
  const places = { databases, placement: new Placement(databases) }
  const key = { tenantId, chain: demoChain }
  const module = Pkcs11Module.of(config)
  await createSigner(places, { vaults: new Vaults(config.dataMasterKeys), module }, key)
  await module?.close()
  const signer = await inTenantTransaction(places, { tenantId, access: 'read' }, (tx) => findSigner(tx, key))
  if (!signer) throw new Error('the demo tenant has no signer')
  return { signer_address: signer.address, desk_address: signer.deskAddress }
}

const demoChain = 'anvil'

// As long as a token may live.
const demoTokenDays = 366

const demoOffering = {
  name: 'Harbour Bond 2031',
  symbol: 'HARB',
  blockchain: demoChain,
  tokenization_platform: 'permissioned-token',
  decimals: 8,
  type: 'DEBT_TOKENIZED',
  price_per_token: '12.50',
  currency: 'EUR',
  total_units: '100000000000000',
  collection_account: {
    account_holder: 'Harbour Issuer GmbH',
    bank: 'Testbank',
    bic: 'COBADEFFXXX',
    iban: 'DE89370400440532013000',
    currency: 'EUR',
  },
} as const
