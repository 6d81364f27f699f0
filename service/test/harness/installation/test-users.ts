import { issuePersonalToken } from '../../../src/access/personal-tokens/issue-personal-token.ts'
import { createSession } from '../../../src/access/sessions/create-session.ts'
import { bindIdentity, ensureIdentity } from '../../../src/access/sessions/identity.sql.ts'
import { identityIdOf, type PersonKey } from '../../../src/access/sessions/identity.ts'
import { recordStepUp } from '../../../src/access/sessions/session.sql.ts'
import { addUser } from '../../../src/access/users/add-user.ts'
import {
  type Duty,
  duties,
  dutiesOfRole,
  type GrantedDuty,
  isLimitable,
  type Role,
} from '../../../src/platform/api/declare/duties.ts'
import type { Config } from '../../../src/platform/base/config.ts'
import { inDirectoryTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../../src/platform/postgres/pools.ts'

/** Part of a TestInstallation that creating users needs. */
interface Installation {
  readonly config: Config
  readonly databases: Databases
}

export interface NewOperator {
  role?: Role
  duties?: readonly Duty[]
  /** Limits all limitable duties to these offerings. */
  offeringIds?: readonly string[]
  days?: number
  /** The person behind the user; a new one by default. */
  person?: PersonKey
  invitedBy?: string | null
}

export interface TestOperator {
  tenantId: string
  userId: string
  /** A personal access token of the user. */
  token: string
  tokenId: string
  /** The cookie of a session in which the user has just used a passkey. */
  cookie: string
  sessionId: string
}

export interface NewServiceUser {
  duties: readonly Duty[]
  createdBy?: string | null
}

/** Adds a user who has not accepted the invitation. */
export async function addInvitedUser({ databases }: Installation, tenantId: string, email: string): Promise<string> {
  const added = await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
    addUser(tx, {
      tenantId,
      kind: 'person',
      name: 'Ann',
      email,
      invitedBy: null,
      duties: granted(dutiesOfRole.admin),
    }),
  )
  if ('rejected' in added) throw new Error(added.rejected)
  return added.userId
}

/** Creates a user with all duties by default, who has signed in with a passkey and has a personal access token. */
export async function createSignedInUser(
  { databases, config }: Installation,
  tenantId: string,
  {
    role,
    duties: wanted = role ? dutiesOfRole[role] : duties,
    days = 30,
    offeringIds,
    person,
    invitedBy = null,
  }: NewOperator,
): Promise<TestOperator> {
  const name = `Olga ${crypto.randomUUID().slice(0, 8)}`
  const email = `${crypto.randomUUID()}@example.com`
  const key = person ?? { issuer: 'https://id.example.com', subject: email }
  const identityId = identityIdOf(key)
  return inDirectoryTransaction(databases, { identityId, tenantId, access: 'write' }, async (tx) => {
    const user = { kind: 'person', name, email, invitedBy } as const
    const added = await addUser(tx, { tenantId, ...user, duties: granted(wanted, offeringIds) })
    if ('rejected' in added) throw new Error(added.rejected)
    const { userId } = added
    await ensureIdentity(tx, key)
    if (!(await bindIdentity(tx, { tenantId, userId }, identityId))) throw new Error('the person is a user already')
    const now = new Date()
    const browser = { userAgent: 'test', sourceAddress: '127.0.0.1', providerSession: null, isBreakGlass: false }
    const signedIn = { tenantId, userId, identityId, authenticatedAt: now, secondFactorAt: now, ...browser }
    const { cookie, sessionId } = await createSession(tx, config.secretPeppers, signedIn, now)
    // On a slow machine, a test takes longer than the use of a passkey stays valid.
    await recordStepUp(tx, { tenantId, sessionId }, new Date(now.getTime() + 3_600_000))
    const newToken = { tenantId, userId, sessionId: null, name: 'test', now, days }
    const { token, tokenId } = await issuePersonalToken(tx, config.secretPeppers, newToken)
    return { tenantId, userId, token, tokenId, cookie, sessionId }
  })
}

/** Creates a service user, by default one that no person is responsible for, and a personal access token. */
export async function createUserWithToken(
  { databases, config }: Installation,
  tenantId: string,
  { duties: wanted, createdBy = null }: NewServiceUser,
): Promise<{ userId: string; token: string }> {
  return inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    const user = { kind: 'service', name: 'Bank channel', email: null, invitedBy: createdBy } as const
    const added = await addUser(tx, { tenantId, ...user, duties: granted(wanted) })
    if ('rejected' in added) throw new Error(added.rejected)
    const { userId } = added
    const newToken = { tenantId, userId, sessionId: null, name: 'test', now: new Date(), days: 30 }
    return { userId, token: (await issuePersonalToken(tx, config.secretPeppers, newToken)).token }
  })
}

function granted(wanted: readonly Duty[], offeringIds: readonly string[] | null = null): GrantedDuty[] {
  return wanted.map((duty) => ({ duty, offeringIds: isLimitable(duty) ? offeringIds : null }))
}
