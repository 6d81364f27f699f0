import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { passkeyErrors } from '../passkey.errors.ts'
import { Passkey, PasskeyChoice } from '../passkey.schema.ts'
import { deletePasskey, lockPasskeys } from '../passkey.sql.ts'
import { viewPasskey } from '../passkey.view.ts'
import { personOf } from '../require-registration.ts'

export const removePasskey = directoryOperation(
  {
    id: 'removePasskey',
    summary: 'Remove a passkey',
    description: 'Removes one of your passkeys, such as that of a lost device. The last one stays.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/passkeys/remove',
    duty: 'read',
    session: 'passkey',
    approval: 'never',
    presentsPerson: true,
    idempotency: 'none',
    // Not in the path, because ids in paths are case-insensitive.
    body: PasskeyChoice,
    success: { status: 200, body: Passkey },
    errors: [requestErrors.not_found, passkeyErrors.last_passkey],
  },
  async ({ body }, { tx, operator, audit }) => {
    const { identityId } = personOf(operator)
    const passkeyId = Buffer.from(body.id, 'base64url')
    const passkeys = await lockPasskeys(tx, identityId)
    const passkey = passkeys.find(({ id }) => id.equals(passkeyId))
    if (!passkey) throw new ApiError(requestErrors.not_found, 'You have no such passkey.')
    if (passkeys.length === 1)
      throw new ApiError(passkeyErrors.last_passkey, 'This is your only passkey. Register another one first.')
    await deletePasskey(tx, { identityId, passkeyId })
    audit({ action: 'passkey.removed', subject: { type: 'user', id: operator.userId } })
    return viewPasskey(passkey)
  },
)
