import { publicOperation } from '../../../platform/api/declare/operation.ts'
import type { PublicContext } from '../../../platform/api/declare/public-context.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { addressBucket, guardAddress } from '../../../platform/api/rate-limit/rate-limit.ts'
import { inDirectoryTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { appendAudit } from '../../../records/audit/append-audit.sql.ts'
import { matchesSecret } from '../../credentials/credential-secret.ts'
import { secretIdOf } from '../../credentials/operator-secret.ts'
import { issuePersonalToken } from '../../personal-tokens/issue-personal-token.ts'
import { lockSession } from '../../sessions/session.sql.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { deviceAuthorizationErrors } from '../device-authorization.errors.ts'
import { DeviceCode, DeviceToken } from '../device-authorization.schema.ts'
import {
  type DeviceAuthorizationRow,
  lockDevice,
  presentDevice,
  recordPoll,
  useLockedDevice,
} from '../device-authorization.sql.ts'

export const pollSeconds = 2
// Half the interval, so that a device that keeps to it never has to slow down.
const pollMsMin = (pollSeconds * 1_000) / 2
/** A login lasts a working day. A script that runs longer needs another token. */
const tokenDays = 1

export const getDeviceToken = publicOperation(
  {
    id: 'getDeviceToken',
    summary: 'Receive the token of a confirmed device',
    description:
      'Returns a personal access token, once, after the person has confirmed the device; until then the error is ' +
      '`authorization_pending`. The token is valid for a day, ends with the session in which it was confirmed if ' +
      'that is revoked, acts with the duties of the person, and can never confirm anything.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/device-authorizations/token',
    scopes: 'public',
    idempotency: 'none',
    body: DeviceCode,
    success: { status: 200, body: DeviceToken },
    errors: [
      deviceAuthorizationErrors.authorization_pending,
      deviceAuthorizationErrors.slow_down,
      deviceAuthorizationErrors.authorization_expired,
      tenantErrors.tenant_limit_reached,
    ],
  },
  async ({ body: { device_code: deviceCode } }, context) => {
    await limitPolls(context, deviceCode)
    const device = await poll(context, deviceCode)
    if (!device) {
      await guardAddress(context.rateLimiter, context.sourceAddress)
      throw expired()
    }
    return issue(context, device)
  },
)

interface ConfirmedDevice {
  readonly id: string
  readonly deviceName: string
  readonly tenantId: string
  readonly userId: string
  readonly sessionId: string
}

/**
 * Rejects a flood before a transaction begins. All polls of a device wait for one row, and waiting polls occupy
 * connections that everyone else needs.
 */
async function limitPolls({ rateLimiter, sourceAddress }: PublicContext, deviceCode: string): Promise<void> {
  if (rateLimiter.isKnownFull(addressBucket(sourceAddress))) await guardAddress(rateLimiter, sourceAddress)
  const id = secretIdOf('device', deviceCode)
  if (id === undefined) return
  const { accepted } = await rateLimiter.takeUnlessFull({ key: `device:${id}`, limit: pollsPerMinuteMax })
  if (!accepted) throw slowDown()
}

// Three times the polls of a device that keeps to the interval.
const pollsPerMinuteMax = (3 * 60) / pollSeconds

/** Returns the device if it is confirmed; undefined if the code is not valid. Throws while the device waits. */
async function poll(
  { databases, secretPeppers, now }: PublicContext,
  deviceCode: string,
): Promise<ConfirmedDevice | undefined> {
  const id = secretIdOf('device', deviceCode)
  if (id === undefined) return undefined
  const found = await inDirectoryTransaction(databases, { deviceId: id, access: 'write' }, async (tx) => {
    const device = await lockDevice(tx, id)
    if (!matchesSecret(secretPeppers, deviceCode, device) || !device) return undefined
    await recordPoll(tx, id, now)
    return device
  })
  if (!found || found.usedAt || found.expiresAt <= now) return undefined
  if (found.lastPolledAt && now.getTime() - found.lastPolledAt.getTime() < pollMsMin) throw slowDown()
  return confirmed(found)
}

function slowDown(): ApiError {
  return new ApiError(deviceAuthorizationErrors.slow_down, `Ask every ${pollSeconds} seconds at most.`)
}

function confirmed({ id, deviceName, ...device }: DeviceAuthorizationRow): ConfirmedDevice {
  const { confirmedTenantId: tenantId, confirmedUserId: userId, confirmedSessionId: sessionId } = device
  if (tenantId === null || userId === null || sessionId === null)
    throw new ApiError(deviceAuthorizationErrors.authorization_pending, 'No person has confirmed the device yet.')
  return { id, deviceName, tenantId, userId, sessionId }
}

/** Creates the token only now, so that its secret is never stored, and uses up the code in the same transaction. */
function issue({ databases, secretPeppers, now, requestId }: PublicContext, device: ConfirmedDevice) {
  const { id, deviceName, tenantId, userId, sessionId } = device
  return inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    await presentDevice(tx, id)
    const locked = await lockDevice(tx, id)
    const session = await lockSession(tx, { tenantId, userId, sessionId })
    if (!locked || locked.usedAt || !session || session.revokedAt) throw expired()
    await useLockedDevice(tx, id, now)
    const owner = { tenantId, userId, sessionId, name: deviceName }
    const { tokenId, token, expiresAt } = await issuePersonalToken(tx, secretPeppers, {
      ...owner,
      now,
      days: tokenDays,
    })
    const expires_at = expiresAt.toISOString()
    await appendAudit(
      tx,
      { type: 'user', id: userId, requestId },
      {
        action: 'personal_token.issued',
        subject: { type: 'personal_token', id: tokenId },
        after: { user_id: userId, expires_at, device: deviceName },
      },
    )
    return { token, token_id: tokenId, tenant_id: tenantId, user_id: userId, expires_at }
  })
}

function expired(): ApiError {
  return new ApiError(
    deviceAuthorizationErrors.authorization_expired,
    'This device code is not valid: it has expired, was used, or never existed. Start again.',
  )
}
