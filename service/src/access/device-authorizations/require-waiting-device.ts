import type { Static } from 'typebox'
import type { DirectoryContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { deviceAuthorizationErrors } from './device-authorization.errors.ts'
import type { WaitingDevice } from './device-authorization.schema.ts'
import { type DeviceAuthorizationRow, presentDevice } from './device-authorization.sql.ts'
import { idOfUserCode } from './device-code.ts'

/** Returns the device that waits with this code, read with `findDevice` or `lockDevice`, or throws 404. */
export async function requireWaitingDevice(
  { tx, secretPeppers, now }: Pick<DirectoryContext, 'tx' | 'secretPeppers' | 'now'>,
  userCode: string,
  read: (tx: Transaction, id: string) => Promise<DeviceAuthorizationRow | undefined>,
): Promise<DeviceAuthorizationRow> {
  const id = idOfUserCode(secretPeppers, userCode)
  if (id === undefined) throw unknownCode()
  // Both in one batch: the statements of a read share a transaction only then.
  const [, device] = await tx.batch(
    (tx) => presentDevice(tx, id),
    (tx) => read(tx, id),
  )
  if (!device || device.confirmedTenantId || device.usedAt || device.expiresAt <= now) throw unknownCode()
  return device
}

function unknownCode(): ApiError {
  return new ApiError(
    deviceAuthorizationErrors.user_code_invalid,
    'No device waits with this code. Check it, or run investor-token operator login again.',
  )
}

export function viewWaitingDevice(device: DeviceAuthorizationRow): Static<typeof WaitingDevice> {
  return {
    device_name: device.deviceName,
    source_address: device.sourceAddress,
    user_agent: device.userAgent,
    created_at: device.createdAt.toISOString(),
    expires_at: device.expiresAt.toISOString(),
  }
}
