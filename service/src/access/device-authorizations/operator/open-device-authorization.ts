import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { deviceAuthorizationErrors } from '../device-authorization.errors.ts'
import { UserCode, WaitingDevice } from '../device-authorization.schema.ts'
import { findDevice } from '../device-authorization.sql.ts'
import { requireWaitingDevice, viewWaitingDevice } from '../require-waiting-device.ts'

export const openDeviceAuthorization = directoryOperation(
  {
    id: 'openDeviceAuthorization',
    summary: 'See which device asks',
    description:
      'What the device calls itself and the address from which it asked, for the code that it shows. Confirm it ' +
      'only if you started it yourself: it will act for you.',
    tag: 'Sign-in',
    method: 'POST',
    isRead: true,
    path: '/device-authorizations/open',
    duty: 'read',
    session: 'person',
    approval: 'never',
    idempotency: 'none',
    body: UserCode,
    success: { status: 200, body: WaitingDevice },
    errors: [deviceAuthorizationErrors.user_code_invalid],
  },
  async ({ body }, context) => viewWaitingDevice(await requireWaitingDevice(context, body.user_code, findDevice)),
)
