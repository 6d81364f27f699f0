import { Named } from '../../../platform/api/declare/fields.ts'
import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireLiveSession } from '../../sessions/require-live-session.ts'
import { Session } from '../../sessions/session.schema.ts'
import { recordStepUp } from '../../sessions/session.sql.ts'
import { viewSession } from '../../sessions/session.view.ts'
import { passkeyErrors } from '../passkey.errors.ts'
import { PasskeyAssertion } from '../passkey.schema.ts'
import { personOf } from '../require-registration.ts'
import { verifyAssertion } from '../verify-passkey.ts'

export const stepUp = directoryOperation(
  {
    id: 'stepUp',
    summary: 'Use a passkey in this session',
    description: 'For five minutes, this session can then confirm changes, create tokens and register passkeys.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/step-up',
    duty: 'read',
    session: 'person',
    approval: 'never',
    presentsPerson: true,
    idempotency: 'none',
    body: Named('PasskeyUse', { credential: PasskeyAssertion }),
    success: { status: 200, body: Session },
    errors: [passkeyErrors.passkey_rejected, requestErrors.session_expired],
  },
  async ({ body: { credential } }, { tenantId, tx, now, origin, operator, secretPeppers, audit }) => {
    const { identityId, sessionId } = personOf(operator)
    const session = await requireLiveSession(tx, { tenantId, userId: operator.userId, sessionId })
    const purpose = { for: 'step-up', sessionId } as const
    await verifyAssertion(tx, identityId, { secretPeppers, origin, now }, { purpose, credential })
    await recordStepUp(tx, { tenantId, sessionId }, now)
    audit({ action: 'session.stepped_up', subject: { type: 'session', id: sessionId } })
    return viewSession(session, operator.proof)
  },
)
