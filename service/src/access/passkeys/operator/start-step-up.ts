import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { PasskeyOptions } from '../passkey.schema.ts'
import { selectPasskeys } from '../passkey.sql.ts'
import { requestOptions } from '../passkey-options.ts'
import { personOf } from '../require-registration.ts'

export const startStepUp = directoryOperation(
  {
    id: 'startStepUp',
    summary: 'Start the use of a passkey',
    description: 'Returns the options with which the browser uses one of your passkeys in this session.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/step-up/options',
    duty: 'read',
    session: 'person',
    approval: 'never',
    presentsPerson: true,
    isRead: true,
    idempotency: 'none',
    success: { status: 200, body: PasskeyOptions },
    errors: [],
  },
  async (_input, { tx, now, origin, operator, secretPeppers }) => {
    const { identityId, sessionId } = personOf(operator)
    const passkeys = await selectPasskeys(tx, identityId)
    const purpose = { for: 'step-up', sessionId } as const
    return { options: await requestOptions({ secretPeppers, origin, now }, purpose, passkeys) }
  },
)
