import { Named } from '../../../platform/api/declare/fields.ts'
import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { sessionCookieHeader } from '../../../platform/api/declare/session-cookie.ts'
import { inDirectoryTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { appendAudit } from '../../../records/audit/append-audit.sql.ts'
import { revokeLockedSession } from '../../sessions/session.sql.ts'

export const signOut = publicOperation(
  {
    id: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session and the tokens that were created in it. Without a session it changes nothing.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/sign-out',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    success: { status: 200, body: Named('SignedOut', {}) },
    errors: [],
  },
  async (_input, { sessionCookie, operatorOfSession, databases, requestId, now, addHeaders }) => {
    const operator = sessionCookie === undefined ? undefined : await operatorOfSession(sessionCookie)
    if (operator && !operator.isRevoked) {
      const { tenantId, userId, proof } = operator
      await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
        await revokeLockedSession(tx, { tenantId, sessionId: proof.id }, now)
        const subject = { type: 'session', id: proof.id }
        await appendAudit(tx, { type: 'user', id: userId, requestId }, { action: 'session.revoked', subject })
      })
    }
    addHeaders({ 'set-cookie': sessionCookieHeader(undefined) })
    return {}
  },
)
