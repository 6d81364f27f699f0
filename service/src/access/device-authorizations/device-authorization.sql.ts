import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { HashedSecret } from '../credentials/credential-secret.ts'
import type { UserKey } from '../users/user.sql.ts'

/** A row of directory.device_authorization: a device that asks to act for a person. */
export interface DeviceAuthorizationRow extends HashedSecret {
  id: string
  deviceName: string
  sourceAddress: string
  userAgent: string
  createdAt: Date
  expiresAt: Date
  lastPolledAt: Date | null
  /** The user who confirmed it, and their session. All null until then. */
  confirmedTenantId: string | null
  confirmedUserId: string | null
  confirmedSessionId: string | null
  usedAt: Date | null
}

const columns = sql`
  device.id, device.pepper_id as "pepperId", device.mac, device.device_name as "deviceName",
  device.source_address as "sourceAddress", device.user_agent as "userAgent", device.created_at as "createdAt",
  device.expires_at as "expiresAt", device.last_polled_at as "lastPolledAt",
  device.confirmed_tenant_id as "confirmedTenantId", device.confirmed_user_id as "confirmedUserId",
  device.confirmed_session_id as "confirmedSessionId", device.used_at as "usedAt"`

/** Presents an id, which follows from either code. Row-level security shows the row only after that. */
export async function presentDevice(tx: Transaction, id: string): Promise<void> {
  await tx.rows(sql`select set_config('app.device_id', ${id}, true)`)
}

/** Deletes expired rows whenever one is added, so that no job is needed. */
export async function deleteExpiredDevices(tx: Transaction, now: Date): Promise<void> {
  await tx.rows(sql`delete from directory.device_authorization where expires_at < ${now}`)
}

/** Returns false if a device already has this code. */
export async function insertDevice(
  tx: Transaction,
  device: Pick<
    DeviceAuthorizationRow,
    'id' | 'pepperId' | 'mac' | 'deviceName' | 'sourceAddress' | 'userAgent' | 'createdAt' | 'expiresAt'
  >,
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into directory.device_authorization (id, pepper_id, mac, device_name, source_address, user_agent,
                                                created_at, expires_at)
    values (${device.id}, ${device.pepperId}, ${device.mac}, ${device.deviceName}, ${device.sourceAddress},
            ${device.userAgent}, ${device.createdAt}, ${device.expiresAt})
    on conflict (id) do nothing
    returning id`)
  return inserted !== undefined
}

export function findDevice(tx: Transaction, id: string): Promise<DeviceAuthorizationRow | undefined> {
  return tx.row<DeviceAuthorizationRow>(sql`
    select ${columns} from directory.device_authorization device where device.id = ${id}`)
}

export function lockDevice(tx: Transaction, id: string): Promise<DeviceAuthorizationRow | undefined> {
  return tx.row<DeviceAuthorizationRow>(sql`
    select ${columns} from directory.device_authorization device where device.id = ${id} for update`)
}

export async function recordPoll(tx: Transaction, id: string, polledAt: Date): Promise<void> {
  await tx.rows(sql`update directory.device_authorization set last_polled_at = ${polledAt} where id = ${id}`)
}

export async function confirmLockedDevice(
  tx: Transaction,
  id: string,
  { tenantId, userId, sessionId }: UserKey & { sessionId: string },
): Promise<void> {
  await tx.rows(sql`
    update directory.device_authorization
    set confirmed_tenant_id = ${tenantId}, confirmed_user_id = ${userId}, confirmed_session_id = ${sessionId}
    where id = ${id}`)
}

export async function useLockedDevice(tx: Transaction, id: string, usedAt: Date): Promise<void> {
  await tx.rows(sql`update directory.device_authorization set used_at = ${usedAt} where id = ${id}`)
}
