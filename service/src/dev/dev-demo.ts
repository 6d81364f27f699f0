import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Static } from 'typebox'
import type { Address } from 'viem'
import { issueCredential } from '../access/credentials/issue-credential.ts'
import { issuePersonalToken } from '../access/personal-tokens/issue-personal-token.ts'
import { upsertPolicy } from '../access/policies/policy.sql.ts'
import { bindIdentity, ensureIdentity } from '../access/sessions/identity.sql.ts'
import { identityIdOf } from '../access/sessions/identity.ts'
import { createTenant } from '../access/tenants/create-tenant.ts'
import { tenantExists } from '../access/tenants/tenant.sql.ts'
import { addUser } from '../access/users/add-user.ts'
import { tokenDaysMax } from '../access/users/user.schema.ts'
import { type Policy, policies } from '../platform/api/declare/approval.ts'
import { type Duty, duties } from '../platform/api/declare/duties.ts'
import { type Scope, scopes } from '../platform/api/declare/scopes.ts'
import { systemClock } from '../platform/base/clock.ts'
import type { Config } from '../platform/base/config.ts'
import { Placement } from '../platform/postgres/cells/placement.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../platform/postgres/pools.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { Vaults } from '../platform/postgres/vault.ts'
import { draftOffering } from '../sales/offerings/operator/draft-offering.ts'
import { openDraft } from '../sales/offerings/operator/open-draft.ts'
import type { NewOffering } from '../sales/offerings/operator/operator-offering.schema.ts'
import { setLockedOfferingLockUp } from '../sales/offerings/operator/operator-offering.sql.ts'
import { createSigner } from '../tokens/signers/create-signer.ts'
import { findSigner } from '../tokens/signers/signer.sql.ts'
import { Signers } from '../tokens/signers/signers.ts'
import { demoPeople } from './demo-people.ts'
import { demoChain, demoOffering, type OpenedExample, openedExamples } from './example-offerings.ts'

export interface Demo {
  base_url: string
  operator_url: string
  /** The first two are for integrators; the console opens the third. */
  tenants: DemoTenant[]
  offering_id: string
  examples: {
    offering_ids: Record<OpenedExample, string>
    /** Pays for the transactions of the examples. */
    signer_address: Address
    /** False until everything is created. */
    is_complete: boolean
  }
  /** The chain of the first tenant's tokens, its signer and its mint desk there. */
  chain: { name: string; url: string; signer_address: Address; desk_address: Address }
}

interface DemoTenant {
  tenant_id: string
  name: string
  /** A service user of the operator API, for scripts. It can do everything but change users, and confirms nothing. */
  user: { user_id: string; personal_token: string; expires_at: string }
  credentials: { client_id: string; client_secret: string; scopes: readonly Scope[] }[]
}

interface DemoUrls {
  readonly baseUrl: string
  readonly operatorUrl: string
  readonly chainUrl: string
  /** Issuer of the local provider; undefined if another one is configured. */
  readonly issuer: string | undefined
}

/** Creates the demo tenants, or returns the existing ones. Only the file contains their secrets. */
export async function ensureDemo(
  databases: Databases,
  config: Config,
  file: string,
  { baseUrl, operatorUrl, chainUrl, issuer }: DemoUrls,
): Promise<Demo> {
  const saved = await readDemo(file)
  const isCurrent = saved !== undefined && hasExamples(saved) && (await hasTenants(databases, saved))
  const created = isCurrent ? saved : await createDemo(databases, config, issuer)
  const [first, , third] = created.tenants
  const signer = await ensureSigner(databases, config, first?.tenant_id ?? '')
  const { signer_address } = await ensureSigner(databases, config, third?.tenant_id ?? '')
  const chain = { name: demoChain, url: chainUrl, ...signer }
  const examples = { ...created.examples, signer_address }
  const demo = { ...created, base_url: baseUrl, operator_url: operatorUrl, examples, chain }
  await writeDemo(file, demo)
  return demo
}

export async function writeDemo(file: string, demo: Demo): Promise<void> {
  // Replaces the file atomically: the CLI and the examples may read it at any time.
  await writeFile(`${file}.new`, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo
  } catch {
    return undefined
  }
}

/** Returns false for a file of an older release. */
function hasExamples({ examples }: Partial<Demo>): boolean {
  return examples !== undefined
}

async function hasTenants(databases: Databases, { tenants }: Demo): Promise<boolean> {
  const found = await Promise.all(
    tenants.map(({ tenant_id: tenantId }) =>
      inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) => tenantExists(tx, tenantId)),
    ),
  )
  return found.every(Boolean)
}

type CreatedDemo = Pick<Demo, 'tenants' | 'offering_id'> & { examples: Omit<Demo['examples'], 'signer_address'> }

async function createDemo(databases: Databases, config: Config, issuer: string | undefined): Promise<CreatedDemo> {
  // A person who runs several tenants signs in to the oldest, so the one with the examples is created first.
  const examples = await createDemoTenant(databases, config, {
    name: 'Harbour Issuer GmbH',
    issuer,
    credentialNames: ['Shop'],
    requestsPerMinute: 600,
    guarded: ['offering_opening', 'payout_release', 'personal_data_export'],
  })
  const names = ['first credential', 'second credential']
  const forScripts = { issuer, requestsPerMinute: 30, guarded: [] }
  const first = await createDemoTenant(databases, config, { name: 'Demo', credentialNames: names, ...forScripts })
  const second = await createDemoTenant(databases, config, {
    name: 'Second demo',
    credentialNames: ['only credential'],
    ...forScripts,
  })
  const [offeringId = ''] = await openOfferings(databases, first.tenant_id, [demoOffering])
  const keys = Object.keys(openedExamples) as OpenedExample[]
  const ids = await openOfferings(databases, examples.tenant_id, Object.values(openedExamples))
  await lockUp(databases, examples.tenant_id, ids[keys.indexOf('estate')] ?? '')
  const offeringIds = Object.fromEntries(keys.map((key, index) => [key, ids[index]])) as Record<OpenedExample, string>
  return {
    tenants: [first, second, examples],
    offering_id: offeringId,
    examples: { offering_ids: offeringIds, is_complete: false },
  }
}

async function openOfferings(
  databases: Databases,
  tenantId: string,
  offerings: readonly Static<typeof NewOffering>[],
): Promise<string[]> {
  return inWrite(databases, tenantId, async (tx) => {
    const ids: string[] = []
    for (const offering of offerings) {
      const offeringId = await draftOffering(tx, tenantId, offering)
      await openDraft(tx, { tenantId, offeringId }, systemClock())
      ids.push(offeringId)
    }
    return ids
  })
}

const lockUpMs = 365 * 86_400_000

/** Locks up the tokens directly: through the API this needs a second person. */
async function lockUp(databases: Databases, tenantId: string, offeringId: string): Promise<void> {
  const until = new Date(systemClock().getTime() + lockUpMs)
  await inWrite(databases, tenantId, (tx) => setLockedOfferingLockUp(tx, { tenantId, offeringId }, until))
}

function inWrite<Result>(
  databases: Databases,
  tenantId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const context = { databases, placement: new Placement(databases) }
  return inTenantTransaction(context, { tenantId, access: 'write' }, work)
}

const granted = (wanted: readonly Duty[]) => wanted.map((duty) => ({ duty, offeringIds: null }))

interface NewDemoTenant {
  readonly name: string
  readonly issuer: string | undefined
  readonly credentialNames: readonly string[]
  readonly requestsPerMinute: number
  /** Policies that need a second person. */
  readonly guarded: readonly Policy[]
}

async function createDemoTenant(
  databases: Databases,
  config: Config,
  { name, issuer, credentialNames, requestsPerMinute, guarded }: NewDemoTenant,
): Promise<DemoTenant> {
  const [cell = 'main'] = config.cells.keys()
  const { tenantId } = await createTenant(databases, new Vaults(config.dataMasterKeys), {
    name,
    cell,
    identityProvider: issuer ? 'demo' : null,
  })
  if (issuer) await addDemoPeople(databases, tenantId, issuer)
  return inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    // Scripts act alone in the demo: otherwise each payment of a script would wait for a second person.
    const unguarded = policies.filter((policy) => !guarded.includes(policy))
    for (const policy of unguarded) await upsertPolicy(tx, tenantId, { policy, fromMinor: null })
    const script = { kind: 'service', name: `Scripts of ${name}`, email: null, invitedBy: null } as const
    const ownDuties = granted(duties.filter((duty) => duty !== 'team'))
    const added = await addUser(tx, { tenantId, ...script, duties: ownDuties })
    if ('rejected' in added) throw new Error(added.rejected)
    const { userId } = added
    const token = { tenantId, userId, sessionId: null, name: 'npm run dev', now: systemClock(), days: tokenDaysMax }
    const issuedToken = await issuePersonalToken(tx, config.secretPeppers, token)
    const credentials: DemoTenant['credentials'] = []
    for (const credentialName of credentialNames) {
      const credential = { tenantId, name: credentialName, scopes, defaultVersion: null, requestsPerMinute }
      const { clientId, clientSecret } = await issueCredential(tx, config.secretPeppers, credential)
      credentials.push({ client_id: clientId, client_secret: clientSecret, scopes })
    }
    const expiresAt = issuedToken.expiresAt.toISOString()
    const user = { user_id: userId, personal_token: issuedToken.token, expires_at: expiresAt }
    return { tenant_id: tenantId, name, user, credentials }
  })
}

/** Adds the people of the local provider. None has both `money` and `release`, which new tenants forbid. */
async function addDemoPeople(databases: Databases, tenantId: string, issuer: string): Promise<void> {
  for (const [index, { id: subject, name, email }] of demoPeople.entries()) {
    const person = { issuer, subject }
    const identityId = identityIdOf(person)
    const own = granted(duties.filter((duty) => duty !== (index === 0 ? 'release' : 'money')))
    await inDirectoryTransaction(databases, { tenantId, identityId, access: 'write' }, async (tx) => {
      const added = await addUser(tx, { tenantId, kind: 'person', name, email, invitedBy: null, duties: own })
      if ('rejected' in added) throw new Error(added.rejected)
      await ensureIdentity(tx, person)
      await bindIdentity(tx, { tenantId, userId: added.userId }, identityId)
    })
  }
}

/** Creates the signer that demo tenants of an older release lack. */
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
