import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { inDirectoryTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { hashSecret } from '../../credentials/credential-secret.ts'
import { limitSignIns } from '../../sign-in/sign-in.ts'
import { DeviceAuthorization, NewDeviceAuthorization } from '../device-authorization.schema.ts'
import { deleteExpiredDevices, insertDevice } from '../device-authorization.sql.ts'
import { newDeviceCodes } from '../device-code.ts'
import { pollSeconds } from './get-device-token.ts'

const validSeconds = 600
// Two open devices with the same eight letters are all but impossible, so three attempts are plenty.
const attemptsMax = 3

export const startDeviceAuthorization = publicOperation(
  {
    id: 'startDeviceAuthorization',
    summary: 'Ask to act for a person',
    description:
      'For a device without a browser, such as the command line (RFC 8628). Show the person `user_code` and ' +
      '`verification_uri`; they sign in there, check what asked, and confirm with a passkey. Poll ' +
      '`POST /device-authorizations/token` meanwhile.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/device-authorizations',
    scopes: 'public',
    idempotency: 'none',
    body: NewDeviceAuthorization,
    success: { status: 201, body: DeviceAuthorization },
    errors: [],
  },
  async ({ body }, context) => {
    await limitSignIns(context)
    const { databases, secretPeppers, sourceAddress, userAgent, origin, now } = context
    for (let attempt = 1; ; attempt += 1) {
      const { id, deviceCode, userCode } = newDeviceCodes(secretPeppers)
      const device = {
        id,
        ...hashSecret(secretPeppers, deviceCode),
        deviceName: body.device_name,
        sourceAddress,
        userAgent: userAgent.slice(0, 300),
        createdAt: now,
        expiresAt: new Date(now.getTime() + validSeconds * 1_000),
      }
      const isInserted = await inDirectoryTransaction(databases, { deviceId: id, access: 'write' }, async (tx) => {
        await deleteExpiredDevices(tx, now)
        return insertDevice(tx, device)
      })
      if (isInserted)
        return {
          device_code: deviceCode,
          user_code: userCode,
          verification_uri: `${origin}/console/device`,
          expires_in: validSeconds,
          interval: pollSeconds,
        }
      if (attempt === attemptsMax) throw new Error('no unused user code was found')
    }
  },
)
