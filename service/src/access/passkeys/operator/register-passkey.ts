import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../../approvals/approval.errors.ts'
import { findAuthenticatedAt, recordStepUp } from '../../sessions/session.sql.ts'
import { passkeyErrors } from '../passkey.errors.ts'
import { NewPasskey, Passkey } from '../passkey.schema.ts'
import { lockPasskeys } from '../passkey.sql.ts'
import { viewPasskey } from '../passkey.view.ts'
import { personOf, requireRegistration } from '../require-registration.ts'
import { storePasskey } from '../verify-passkey.ts'

export const registerPasskey = directoryOperation(
  {
    id: 'registerPasskey',
    summary: 'Register a passkey',
    description: 'Stores the passkey that the browser created. It belongs to you, in all tenants that you run.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/passkeys',
    duty: 'read',
    session: 'person',
    approval: 'never',
    presentsPerson: true,
    idempotency: 'none',
    body: NewPasskey,
    success: { status: 201, body: Passkey },
    errors: [
      passkeyErrors.passkey_rejected,
      passkeyErrors.passkey_exists,
      passkeyErrors.sign_in_again,
      approvalErrors.emergency_session,
      requestErrors.step_up_needed,
    ],
  },
  async ({ body }, { tenantId, tx, now, origin, operator, secretPeppers, audit }) => {
    const { identityId, sessionId } = personOf(operator)
    const authenticatedAt = await findAuthenticatedAt(tx, { tenantId, sessionId })
    requireRegistration(operator, await lockPasskeys(tx, identityId), { authenticatedAt, now })
    const purpose = { for: 'registration', sessionId } as const
    const verifier = { secretPeppers, origin, now }
    const passkey = await storePasskey(tx, identityId, verifier, { purpose, ...body })
    // Creating a passkey verifies the person just as using one does.
    await recordStepUp(tx, { tenantId, sessionId }, now)
    audit({ action: 'passkey.registered', subject: { type: 'user', id: operator.userId } })
    return viewPasskey(passkey)
  },
)
