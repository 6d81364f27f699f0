import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireLiveSession } from '../../sessions/require-live-session.ts'
import { deviceAuthorizationErrors } from '../device-authorization.errors.ts'
import { UserCode, WaitingDevice } from '../device-authorization.schema.ts'
import { confirmLockedDevice, lockDevice } from '../device-authorization.sql.ts'
import { requireWaitingDevice, viewWaitingDevice } from '../require-waiting-device.ts'

export const confirmDeviceAuthorization = directoryOperation(
  {
    id: 'confirmDeviceAuthorization',
    summary: 'Let a device act for you',
    description:
      'The device receives a personal access token of yours that is valid for a day. A code can be confirmed once. ' +
      'List and revoke the tokens of your devices like all others.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/device-authorizations/confirm',
    duty: 'read',
    session: 'passkey',
    approval: 'never',
    idempotency: 'none',
    body: UserCode,
    success: { status: 200, body: WaitingDevice },
    errors: [deviceAuthorizationErrors.user_code_invalid, requestErrors.session_expired],
  },
  async ({ body }, context) => {
    const { tenantId, tx, operator, audit } = context
    const { userId, proof } = operator
    // A service user has no session, so it never gets here.
    if (proof.type !== 'session') throw new Error('a device was confirmed without a session')
    await requireLiveSession(tx, { tenantId, userId, sessionId: proof.id })
    const device = await requireWaitingDevice(context, body.user_code, lockDevice)
    await confirmLockedDevice(tx, device.id, { tenantId, userId, sessionId: proof.id })
    audit({
      action: 'device.confirmed',
      subject: { type: 'user', id: userId },
      after: { device: device.deviceName, source_address: device.sourceAddress },
    })
    return viewWaitingDevice(device)
  },
)
