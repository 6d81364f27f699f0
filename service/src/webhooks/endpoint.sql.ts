import { filteredCut } from '../platform/api/declare/page.sql.ts'
import type { Page } from '../platform/api/declare/page.ts'
import { sql } from '../platform/db/sql.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import type { EventType } from '../records/events/event-types.ts'
import type { EndpointHealth } from './endpoint-health.ts'

export interface EndpointKey {
  tenantId: string
  endpointId: string
}

export type DisabledReason = 'OPERATOR' | 'GONE' | 'FAILING'

export interface EndpointRow extends EndpointHealth {
  id: string
  url: string
  description: string
  types: EventType[] | null
  createdAt: Date
  disabledAt: Date | null
  disabledReason: DisabledReason | null
  sealedSecret: Buffer
  sealedOldSecret: Buffer | null
  oldSecretEndsAt: Date | null
  turn: string
  resendSince: Date | null
  resendAfter: string | null
  resendDone: string | null
  resendUntil: string | null
}

const columns = sql`
  id, url, description, types, created_at as "createdAt", disabled_at as "disabledAt",
  disabled_reason as "disabledReason", failures, failing_since as "failingSince", blocked_until as "blockedUntil",
  sealed_secret as "sealedSecret", sealed_old_secret as "sealedOldSecret", old_secret_ends_at as "oldSecretEndsAt",
  turn, resend_since as "resendSince", resend_after as "resendAfter", resend_done as "resendDone",
  resend_until as "resendUntil"`

export function findEndpoint(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<EndpointRow | undefined> {
  return tx.row<EndpointRow>(sql`
    select ${columns} from cell.webhook_endpoint where tenant_id = ${tenantId} and id = ${endpointId}`)
}

/** As it is now, held until the end of the transaction. Rows that refer to it may still come in meanwhile. */
export function lockEndpoint(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<EndpointRow | undefined> {
  return tx.row<EndpointRow>(sql`
    select ${columns} from cell.webhook_endpoint where tenant_id = ${tenantId} and id = ${endpointId}
    for no key update`)
}

/** Those that no longer work count too: they stay for their log. */
export async function countEndpoints(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.webhook_endpoint where tenant_id = ${tenantId}`)
  return found?.count ?? 0
}

export async function countEnabledEndpoints(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.webhook_endpoint
    where tenant_id = ${tenantId} and disabled_at is null`)
  return found?.count ?? 0
}

export function listEndpoints(tx: Transaction, tenantId: string, page: Page): Promise<EndpointRow[]> {
  return tx.rows<EndpointRow>(sql`
    select ${columns} from cell.webhook_endpoint where tenant_id = ${tenantId} ${filteredCut(sql`id`, page)}`)
}

/**
 * Holds the tenant's cursor, and makes it where it is the first endpoint. While it is held nobody turns events into
 * messages, so that an endpoint that comes now neither misses one nor gets one twice.
 */
export async function lockWebhookCursor(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`
    insert into cell.webhook_cursor (tenant_id, sequence)
    values (${tenantId}, coalesce(
      (select last_sequence from cell.event_head where tenant_id = ${tenantId}), 0))
    on conflict (tenant_id) do update set sequence = webhook_cursor.sequence`)
}

type NewEndpoint = Pick<EndpointRow, 'id' | 'url' | 'description' | 'types' | 'sealedSecret' | 'createdAt'>

/** From the events on that are numbered next. With the cursor held. */
export async function insertEndpoint(tx: Transaction, tenantId: string, endpoint: NewEndpoint): Promise<void> {
  await tx.rows(sql`
    insert into cell.webhook_endpoint (tenant_id, id, url, description, types, sealed_secret, from_sequence, created_at,
                                       turn_at)
    values (${tenantId}, ${endpoint.id}, ${endpoint.url}, ${endpoint.description}, ${endpoint.types}::text[],
            ${endpoint.sealedSecret},
            coalesce((select last_sequence from cell.event_head where tenant_id = ${tenantId}), 0),
            ${endpoint.createdAt}, ${endpoint.createdAt})`)
}

export async function updateEndpoint(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  changed: Pick<EndpointRow, 'url' | 'description' | 'types'>,
): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint
    set url = ${changed.url}, description = ${changed.description}, types = ${changed.types}::text[]
    where tenant_id = ${tenantId} and id = ${endpointId}`)
}

/** The secret in use becomes the old one, which goes on for so many hours; one that was old already ends now. */
export async function replaceSecret(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  { sealedSecret, oldHours }: { sealedSecret: Buffer; oldHours: number },
): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint
    set sealed_old_secret = sealed_secret, old_secret_ends_at = now() + make_interval(hours => ${oldHours}::int),
        sealed_secret = ${sealedSecret}
    where tenant_id = ${tenantId} and id = ${endpointId}`)
}

/** Nothing is sent any more, and what was waiting is dropped. Its job, if it has one, finds its time over. */
export async function disableLockedEndpoint(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  reason: DisabledReason,
): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint
    set disabled_at = now(), disabled_reason = ${reason}, is_served = false, turn = turn + 1,
        resend_since = null, resend_after = null, resend_done = null, resend_until = null
    where tenant_id = ${tenantId} and id = ${endpointId} and disabled_at is null`)
  await dropPending(tx, { tenantId, endpointId })
}

/** From the events on that are numbered next, as if it were new. With the cursor held. */
export async function enableLockedEndpoint(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint
    set disabled_at = null, disabled_reason = null, failures = 0, failing_since = null, blocked_until = null,
        from_sequence = coalesce((select last_sequence from cell.event_head where tenant_id = ${tenantId}), 0)
    where tenant_id = ${tenantId} and id = ${endpointId}`)
  // What became a message in the very moment in which it was disabled.
  await dropPending(tx, { tenantId, endpointId })
}

async function dropPending(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_delivery set state = 'DROPPED'
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and state = 'PENDING'`)
}

export async function updateHealth(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  { failures, failingSince, blockedUntil }: EndpointHealth,
): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint
    set failures = ${failures}, failing_since = ${failingSince}, blocked_until = ${blockedUntil}
    where tenant_id = ${tenantId} and id = ${endpointId}`)
}
