import fc, { type Arbitrary } from 'fast-check'
import { operatorOperations } from '../../../src/operator-operations.ts'
import { type Duty, duties, dutiesOfRole } from '../../../src/platform/api/declare/duties.ts'
import type { Operation } from '../../../src/platform/api/declare/operation.ts'
import { operatorPrefixes } from '../../../src/platform/api/server/routes.ts'
import { type ApiResponse, cookieHeaders } from '../installation/api-client.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { TestOperator } from '../installation/test-users.ts'
import type { OperatorWorld } from '../operator-requests/operator-request.ts'
import { operatorRequests } from '../operator-requests/operator-requests.ts'
import { createOperatorWorld } from '../operator-requests/operator-world.ts'
import { camelCase, type FuzzRequest, oddAuthorizations } from './fuzz-requests.ts'
import { type FillIn, FuzzTenants, type FuzzWorld } from './fuzz-target.ts'

const fullUsers = 24
/** Duties of each tenant's users: most have all, so that most requests get past the check of the duty. */
const dutiesOfUsers: readonly (readonly Duty[])[] = [
  ...Array.from({ length: fullUsers }, () => duties),
  dutiesOfRole.admin,
  dutiesOfRole.operator,
  dutiesOfRole.viewer,
  ['read', 'money'],
  ['team'],
  [],
]
const tenantCount = 3
/** Number of created resources of a tenant that later requests use. */
const createdMax = 200

/**
 * Starts the operator API and creates tenants with one resource of each kind. In the last one, every policy demands a
 * second person.
 */
export async function startOperators(
  installation: TestInstallation,
  settings: Record<string, string>,
): Promise<FuzzWorld> {
  const api = await installation.startOperatorApiProcess(settings)
  const tenants: Tenant[] = []
  for (let count = 0; count < tenantCount; count++) {
    const world = await createOperatorWorld(installation, `tenant ${count}`)
    const users: TestOperator[] = []
    for (const wanted of dutiesOfUsers)
      users.push(await installation.createOperator(world.tenantId, { duties: wanted }))
    tenants.push({ world, users, created: [] })
  }
  const last = tenants.at(-1) as Tenant
  await installation.rows('delete from directory.approval_policy where tenant_id = $1', [last.world.tenantId])
  return new Operators(installation, api, tenants)
}

type Ids = Readonly<Record<string, string>>

interface Tenant {
  readonly world: OperatorWorld
  readonly users: readonly TestOperator[]
  /** Ids that belong together, such as an account and its wallet, by the names of their path parameters. */
  created: Ids[]
}

class Operators extends FuzzTenants<Tenant> implements FuzzWorld {
  readonly name = 'operator'
  readonly operations = operatorOperations
  readonly prefixes = operatorPrefixes

  proofsOf(operation: Operation): Arbitrary<Record<string, string>> {
    const needsSession = operation.kind === 'operator' && operation.header.session !== undefined
    return fc.oneof(
      { weight: needsSession ? 2 : 30, arbitrary: fc.constant(token) },
      { weight: needsSession ? 30 : 10, arbitrary: fc.constant(session) },
      { weight: 2, arbitrary: fc.constantFrom(...oddProofs) },
    )
  }

  exampleOf({ header }: Operation): unknown {
    return operatorRequests[header.id]?.body?.(placeholders)
  }

  async fillInFor(request: FuzzRequest): Promise<FillIn> {
    const { operation, pick, caller } = request
    const tenant = this.tenant(request.tenant)
    const isPrepared = request.isPrepared && tenant !== this.tenants.at(-1)
    const user = tenant.users[caller % (isPrepared ? fullUsers : tenant.users.length)] as TestOperator
    const known = operatorRequests[operation.header.id]
    const prepared =
      isPrepared && (await known?.prepare?.(this.installation, tenant.world, this.api, user).catch(unlessServerError))
    if (prepared) remember(tenant, prepared)
    const self: Ids = known?.isAllowedForSelf && pick % 2 === 0 ? { userId: user.userId } : {}
    const chosen = { ...(prepared || idsFor(operation, tenant, pick)), ...self }
    const own = known?.idsOf?.(chosen) ?? {}
    return (kind, name) => {
      const isForeign = kind === 'foreign'
      const other = isForeign ? this.tenant(request.tenant + 1) : tenant
      if (name === 'personal_token') return user.token
      if (name === 'session_cookie') return user.cookie
      const member = camelCase(name)
      const fallback = idsWith(other, [member], pick)
      const ids: Ids = isForeign ? { ...fallback, ...known?.idsOf?.(fallback) } : { ...fallback, ...chosen, ...own }
      return ids[member] ?? other.world.accountId
    }
  }

  addCreated({ operation, tenant }: FuzzRequest, params: Ids, { status, body }: ApiResponse): void {
    if (status === 202) {
      const isInCell = operation.kind === 'operator' && operation.database === 'cell'
      remember(this.tenant(tenant), { [isInCell ? 'approvalId' : 'directoryApprovalId']: body.approval_id })
      return
    }
    const name = createdBy[operation.header.id]
    if (status !== 201 || !name) return
    remember(this.tenant(tenant), { ...params, [name]: body.statements?.[0]?.id ?? body.client_id ?? body.id })
  }
}

const createdBy: Readonly<Record<string, string>> = {
  createOffering: 'offeringId',
  registerWallet: 'walletId',
  createPaymentProvider: 'providerId',
  createKycProvider: 'kycProviderId',
  createPayout: 'payoutId',
  importStatement: 'statementId',
  proposeTokenAction: 'actionId',
  createCredential: 'clientId',
  createWebhookEndpoint: 'endpointId',
}

/**
 * Rethrows server errors only. A fuzzed request can change a resource that is being prepared for another one, such as
 * pay out its refund or erase its account; that one then uses existing resources. every-operator-operation.test.ts
 * shows that each preparation works alone.
 */
function unlessServerError(error: Error): undefined {
  if (/ returned 5\d\d: /.test(error.message)) throw error
}

function remember(tenant: Tenant, ids: Ids): void {
  tenant.created = [...tenant.created, ids].slice(-createdMax)
}

/** Returns existing ids for all path parameters of an operation, which belong together. */
function idsFor({ header }: Operation, tenant: Tenant, pick: number): Ids {
  const mapped = Object.keys(operatorRequests[header.id]?.idsOf?.({ directoryApprovalId: 'yes' }) ?? {})
  const names = Object.keys(header.params?.properties ?? {}).filter((name) => !mapped.includes(name))
  return idsWith(tenant, mapped.length > 0 ? [...names, 'directoryApprovalId'] : names, pick)
}

function idsWith({ world, created }: Tenant, names: readonly string[], pick: number): Ids {
  if (names.length === 0) return {}
  const candidates = [world, ...created].filter((ids) => names.every((name) => ids[name] !== undefined))
  return candidates[pick % candidates.length] ?? {}
}

/** A world in which every member is a placeholder for itself. */
const placeholders = new Proxy({} as OperatorWorld, { get: (_, name) => `id:${String(name)}` })

const token = { authorization: 'Bearer id:personal_token' }
const session = cookieHeaders('id:session_cookie')
const { 'x-console': _console, ...withoutHeader } = session
const oddProofs: readonly Record<string, string>[] = [
  {},
  ...oddAuthorizations.map((authorization) => ({ authorization })),
  withoutHeader,
  { ...session, 'sec-fetch-site': 'cross-site' },
  { ...session, origin: 'https://evil.example' },
  { ...session, ...token },
  { ...session, authorization: 'Bearer garbage' },
  { authorization: 'Bearer id:session_cookie' },
  cookieHeaders('id:personal_token'),
  cookieHeaders(''),
  cookieHeaders('garbage; __Host-session=id:session_cookie'),
  cookieHeaders('x'.repeat(3_000)),
]
