import type { Colleague, PipelineServices } from '../../platform/api/declare/services.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { announceApproval } from '../approvals/announce-approval.ts'
import { secretIdOf } from '../credentials/operator-secret.ts'
import { selectAllUsers, selectCallerNames, selectControllers } from '../users/user.sql.ts'
import { OperatorLookup, type OperatorServices } from './operator-lookup.ts'

/** Gives the pipeline the functions that look up users of a tenant. */
export function operatorServices(services: OperatorServices) {
  const lookup = new OperatorLookup(services)
  return {
    operatorOfToken: (token) => lookup.byToken(token),
    operatorAgain: (proof) => lookup.again(proof),
    tokenIdOf: (token) => secretIdOf('token', token),
    operatorOfSession: (cookie) => lookup.bySession(cookie),
    colleaguesOf: selectColleagues,
    callerNamesOf: selectCallerNames,
    announceApproval,
  } satisfies Partial<PipelineServices>
}

/** Returns the current users of the tenant, for rules that compare two of them. */
async function selectColleagues(tx: Transaction, tenantId: string): Promise<Colleague[]> {
  const [users, controllers] = await tx.batch(
    (tx) => selectAllUsers(tx, tenantId),
    (tx) => selectControllers(tx, tenantId),
  )
  return users.map(({ id: userId, kind, identityId, invitedBy, createdAt, duties }) => ({
    userId,
    kind,
    identityId,
    invitedBy,
    createdAt,
    controllers: controllers
      .filter(({ serviceUserId }) => serviceUserId === userId)
      .map((person) => ({ userId: person.userId, kind: 'person', identityId: person.identityId })),
    duties: duties.map(({ grantedAt, ...granted }) => ({ ...granted, grantedAt: new Date(grantedAt) })),
  }))
}
