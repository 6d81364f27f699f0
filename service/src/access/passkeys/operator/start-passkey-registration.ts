import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { approvalErrors } from '../../approvals/approval.errors.ts'
import { findAuthenticatedAt } from '../../sessions/session.sql.ts'
import { findUser } from '../../users/user.sql.ts'
import { passkeyErrors } from '../passkey.errors.ts'
import { PasskeyOptions } from '../passkey.schema.ts'
import { selectPasskeys } from '../passkey.sql.ts'
import { creationOptions } from '../passkey-options.ts'
import { personOf, requireRegistration } from '../require-registration.ts'

export const startPasskeyRegistration = directoryOperation(
  {
    id: 'startPasskeyRegistration',
    summary: 'Start the registration of a passkey',
    description:
      'Returns the options with which the browser creates a passkey. A further passkey needs the use of one that you ' +
      'have; the first one a sign-in within the last five minutes.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/passkeys/options',
    duty: 'read',
    session: 'person',
    approval: 'never',
    presentsPerson: true,
    isRead: true,
    idempotency: 'none',
    success: { status: 200, body: PasskeyOptions },
    errors: [
      passkeyErrors.sign_in_again,
      approvalErrors.emergency_session,
      passkeyErrors.passkey_exists,
      requestErrors.step_up_needed,
    ],
  },
  async (_input, { tenantId, tx, now, origin, operator, secretPeppers }) => {
    const { identityId, sessionId } = personOf(operator)
    const [user, passkeys, authenticatedAt] = await tx.batch(
      (tx) => findUser(tx, { tenantId, userId: operator.userId }),
      (tx) => selectPasskeys(tx, identityId),
      (tx) => findAuthenticatedAt(tx, { tenantId, sessionId }),
    )
    if (!user?.email) throw new Error('the user of a session was not found')
    requireRegistration(operator, passkeys, { authenticatedAt, now })
    const person = { identityId, name: user.name, email: user.email, passkeys }
    const purpose = { for: 'registration', sessionId } as const
    return { options: await creationOptions({ secretPeppers, origin, now }, purpose, person) }
  },
)
