import { readFile, writeFile } from 'node:fs/promises'
import type { Address } from 'viem'
import { issueCredential } from '../access/credentials/issue-credential.ts'
import { upsertPolicy } from '../access/policies/policy.sql.ts'
import { createTenant } from '../access/tenants/create-tenant.ts'
import { tenantExists } from '../access/tenants/tenant.sql.ts'
import { addUser } from '../access/users/add-user.ts'
import { issuePersonalToken } from '../access/users/issue-personal-token.ts'
import { tokenDaysMax } from '../access/users/user.schema.ts'
import { policies } from '../platform/api/declare/approval.ts'
import { duties } from '../platform/api/declare/duties.ts'
import { type Scope, scopes } from '../platform/api/declare/scopes.ts'
import { systemClock } from '../platform/base/clock.ts'
import type { Config } from '../platform/base/config.ts'
import { Placement } from '../platform/db/placement.ts'
import type { Databases } from '../platform/db/pools.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../platform/db/tenant-transaction.ts'
import { Vaults } from '../platform/db/vault.ts'
import { draftOffering } from '../sales/offerings/operator/draft-offering.ts'
import { openDraft } from '../sales/offerings/operator/open-draft.ts'
import { createSigner } from '../tokens/signers/create-signer.ts'
import { findSigner } from '../tokens/signers/signer.sql.ts'
import { Signers } from '../tokens/signers/signers.ts'

export interface Demo {
  base_url: string
  operator_url: string
  tenants: DemoTenant[]
  offering_id: string
  /** The chain of the first tenant's tokens, its signer and its mint desk there. */
  chain: { name: string; url: string; signer_address: Address; desk_address: Address }
}

interface DemoTenant {
  tenant_id: string
  name: string
  /** An admin of the operator API. */
  user: { user_id: string; personal_token: string; expires_at: string }
  credentials: { client_id: string; client_secret: string; scopes: readonly Scope[] }[]
}

/** Creates two demo tenants, or returns the existing ones. Only the file has their secrets. */
export async function ensureDemo(
  databases: Databases,
  config: Config,
  file: string,
  { baseUrl, operatorUrl, chainUrl }: { baseUrl: string; operatorUrl: string; chainUrl: string },
): Promise<Demo> {
  const saved = await readDemo(file)
  const isCurrent = saved !== undefined && hasUsers(saved) && (await hasTenants(databases, saved))
  const created = isCurrent ? saved : await createDemo(databases, config)
  const signer = await ensureSigner(databases, config, created.tenants[0]?.tenant_id ?? '')
  const chain = { name: demoChain, url: chainUrl, ...signer }
  const demo = { ...created, base_url: baseUrl, operator_url: operatorUrl, chain }
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

/** False for a file of an older release. */
function hasUsers({ tenants }: Demo): boolean {
  return tenants.every(({ user }: Partial<DemoTenant>) => user !== undefined)
}

async function hasTenants(databases: Databases, { tenants }: Demo): Promise<boolean> {
  const found = await Promise.all(
    tenants.map(({ tenant_id: tenantId }) =>
      inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) => tenantExists(tx, tenantId)),
    ),
  )
  return found.every(Boolean)
}

async function createDemo(databases: Databases, config: Config): Promise<Pick<Demo, 'tenants' | 'offering_id'>> {
  const first = await createDemoTenant(databases, config, 'Demo', ['first credential', 'second credential'])
  const second = await createDemoTenant(databases, config, 'Second demo', ['only credential'])
  const tenantId = first.tenant_id
  const tenantDatabases = { databases, placement: new Placement(databases) }
  const offeringId = await inTenantTransaction(tenantDatabases, { tenantId, access: 'write' }, async (tx) => {
    const draftId = await draftOffering(tx, tenantId, demoOffering)
    await openDraft(tx, { tenantId, offeringId: draftId }, systemClock())
    return draftId
  })
  return { tenants: [first, second], offering_id: offeringId }
}

const allDuties = duties.map((duty) => ({ duty, offeringIds: null }))

async function createDemoTenant(
  databases: Databases,
  config: Config,
  name: string,
  credentialNames: readonly string[],
): Promise<DemoTenant> {
  const [cell = 'main'] = config.cells.keys()
  const tenantId = await createTenant(databases, new Vaults(config.dataMasterKeys), { name, cell })
  return inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    // The demo has one user, who could otherwise open no offering.
    for (const policy of policies) await upsertPolicy(tx, tenantId, { policy, fromMinor: null })
    const person = { kind: 'person', name: `User of ${name}`, email: 'admin@localhost', invitedBy: null } as const
    const added = await addUser(tx, { tenantId, ...person, duties: allDuties })
    if ('rejected' in added) throw new Error(added.rejected)
    const { userId } = added
    const token = { tenantId, userId, sessionId: null, name: 'npm run dev', now: systemClock(), days: tokenDaysMax }
    const issuedToken = await issuePersonalToken(tx, config.secretPeppers, token)
    const credentials: DemoTenant['credentials'] = []
    for (const credentialName of credentialNames) {
      const credential = { tenantId, name: credentialName, scopes, defaultVersion: null, requestsPerMinute: 30 }
      const { clientId, clientSecret } = await issueCredential(tx, config.secretPeppers, credential)
      credentials.push({ client_id: clientId, client_secret: clientSecret, scopes })
    }
    const expiresAt = issuedToken.expiresAt.toISOString()
    const user = { user_id: userId, personal_token: issuedToken.token, expires_at: expiresAt }
    return { tenant_id: tenantId, name, user, credentials }
  })
}

/** Demo tenants of an older release have no signer. */
async function ensureSigner(
  databases: Databases,
  config: Config,
  tenantId: string,
): Promise<Pick<Demo['chain'], 'signer_address' | 'desk_address'>> {
  const context = { databases, placement: new Placement(databases), vaults: new Vaults(config.dataMasterKeys) }
  const key = { tenantId, chain: demoChain }
  const signers = Signers.open(config, context)
  await createSigner(context, signers, key)
  await signers.close()
  const signer = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) => findSigner(tx, key))
  if (!signer) throw new Error('the demo tenant has no signer')
  return { signer_address: signer.address, desk_address: signer.deskAddress }
}

const demoChain = 'anvil'

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
