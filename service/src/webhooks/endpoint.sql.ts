import { boundedCount, keysetCut } from '../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { EventType } from '../records/events/event-types.ts'
import type { EndpointHealth } from './endpoint-health.ts'

export interface EndpointKey {
  tenantId: string
  endpointId: string
}

/** GONE: the receiver responded with 410 Gone. UNVERIFIED: it did not echo the challenge in time. */
export type DisabledReason = 'OPERATOR' | 'GONE' | 'FAILING' | 'UNVERIFIED'

export interface EndpointRow extends EndpointHealth {
  id: string
  url: string
  description: string
  types: EventType[] | null
  createdAt: Date
  disabledAt: Date | null
  disabledReason: DisabledReason | null
  /** Text that the receiver has to echo before it gets events; null once it has. */
  challenge: string | null
  challengeEndsAt: Date | null
  verifiedAt: Date | null
  /** Encrypted, as is the previous one. */
  secret: Buffer
  previousSecret: Buffer | null
  previousSecretEndsAt: Date | null
  jobNumber: string
  jobDueAt: Date
  resendSince: Date | null
  resendAfter: string | null
  resendDone: string | null
  resendUntil: string | null
}

const columns = sql`
  id, url, description, types, created_at as "createdAt", disabled_at as "disabledAt",
  disabled_reason as "disabledReason", challenge, challenge_ends_at as "challengeEndsAt",
  verified_at as "verifiedAt", failures, failing_since as "failingSince", backoff_until as "backoffUntil",
  secret, previous_secret as "previousSecret", previous_secret_ends_at as "previousSecretEndsAt",
  job_number as "jobNumber", job_due_at as "jobDueAt", resend_since as "resendSince", resend_after as "resendAfter",
  resend_done as "resendDone", resend_until as "resendUntil"`

/** Condition for the endpoint itself, in cell.webhook_endpoint. */
export function isEndpoint({ tenantId, endpointId }: EndpointKey): Sql {
  return sql`tenant_id = ${tenantId} and id = ${endpointId}`
}

/** Condition for the rows of an endpoint, such as its deliveries. */
export function isOfEndpoint({ tenantId, endpointId }: EndpointKey): Sql {
  return sql`tenant_id = ${tenantId} and endpoint_id = ${endpointId}`
}

export function findEndpoint(tx: Transaction, key: EndpointKey): Promise<EndpointRow | undefined> {
  return tx.row<EndpointRow>(sql`select ${columns} from cell.webhook_endpoint where ${isEndpoint(key)}`)
}

/** Locks the endpoint. Other transactions can still insert rows that reference it. */
export function lockEndpoint(tx: Transaction, key: EndpointKey): Promise<EndpointRow | undefined> {
  return tx.row<EndpointRow>(
    sql`select ${columns} from cell.webhook_endpoint where ${isEndpoint(key)} for no key update`,
  )
}

/** Counts disabled endpoints too, which are kept for their deliveries. */
export function countEndpoints(tx: Transaction, tenantId: string): Promise<number> {
  return boundedCount(tx, sql`from cell.webhook_endpoint where tenant_id = ${tenantId}`)
}

export async function countEnabledEndpoints(tx: Transaction, tenantId: string): Promise<number> {
  const counted = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.webhook_endpoint where tenant_id = ${tenantId} and disabled_at is null`)
  return counted?.count ?? 0
}

export function selectEndpoints(
  tx: Transaction,
  tenantId: string,
  page: KeysetPage,
): Promise<(EndpointRow & KeysetRow)[]> {
  const cut = keysetCut(sql`id`, page)
  return tx.rows(sql`
    select ${columns}, ${cut.column} from cell.webhook_endpoint
    where tenant_id = ${tenantId} and ${cut.where} ${cut.orderBy}`)
}

/**
 * Locks the tenant's fan-out cursor, and creates it for the first endpoint. No worker fans out events meanwhile, so an
 * endpoint that is created or enabled now neither misses an event nor gets one twice.
 */
export async function lockWebhookCursor(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`
    insert into cell.webhook_cursor (tenant_id, sequence)
    values (${tenantId}, ${lastSequence(tenantId)})
    on conflict (tenant_id) do update set sequence = webhook_cursor.sequence`)
}

function lastSequence(tenantId: string): Sql {
  return sql`coalesce((select last_sequence from cell.event_head where tenant_id = ${tenantId}), 0)`
}

type NewEndpoint = Pick<EndpointRow, 'id' | 'url' | 'description' | 'types' | 'secret' | 'createdAt'> &
  EndpointChallenge

/** A challenge and the time after which the worker gives up. */
export interface EndpointChallenge {
  challenge: string
  challengeEndsAt: Date
}

/** Inserts an endpoint, which gets the events that are numbered from now on. Requires the cursor lock. */
export async function insertEndpoint(tx: Transaction, tenantId: string, endpoint: NewEndpoint): Promise<void> {
  await tx.rows(sql`
    insert into cell.webhook_endpoint (tenant_id, id, url, description, types, secret, after_sequence, created_at,
                                       job_due_at, challenge, challenge_ends_at)
    values (${tenantId}, ${endpoint.id}, ${endpoint.url}, ${endpoint.description}, ${endpoint.types}::text[],
            ${endpoint.secret}, ${lastSequence(tenantId)}, ${endpoint.createdAt}, ${endpoint.createdAt},
            ${endpoint.challenge}, ${endpoint.challengeEndsAt})`)
}

async function update(tx: Transaction, key: EndpointKey, changes: Sql): Promise<void> {
  await tx.rows(sql`update cell.webhook_endpoint set ${changes} where ${isEndpoint(key)}`)
}

export function updateEndpoint(
  tx: Transaction,
  key: EndpointKey,
  { url, description, types }: Pick<EndpointRow, 'url' | 'description' | 'types'>,
): Promise<void> {
  return update(tx, key, sql`url = ${url}, description = ${description}, types = ${types}::text[]`)
}

/** Sets the challenge that the receiver has to echo before it gets anything else. Voids an earlier challenge. */
export function setChallenge(tx: Transaction, key: EndpointKey, to: EndpointChallenge): Promise<void> {
  const { challenge, challengeEndsAt } = to
  return update(tx, key, sql`verified_at = null, challenge = ${challenge}, challenge_ends_at = ${challengeEndsAt}`)
}

export function markVerified(tx: Transaction, key: EndpointKey): Promise<void> {
  return update(tx, key, sql`verified_at = now(), challenge = null, challenge_ends_at = null`)
}

/** Makes the current secret the previous one for `overlapHours`. An earlier previous secret ends now. */
export function replaceSecret(
  tx: Transaction,
  key: EndpointKey,
  { secret, overlapHours }: { secret: Buffer; overlapHours: number },
): Promise<void> {
  const endsAt = sql`now() + make_interval(hours => ${overlapHours}::int)`
  return update(tx, key, sql`previous_secret = secret, previous_secret_ends_at = ${endsAt}, secret = ${secret}`)
}

/** Drops pending deliveries, cancels a resend, and fences off the current job, if any. */
export async function disableLockedEndpoint(tx: Transaction, key: EndpointKey, reason: DisabledReason): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint
    set disabled_at = now(), disabled_reason = ${reason}, has_job = false, job_number = job_number + 1,
        resend_since = null, resend_after = null, resend_done = null, resend_until = null
    where ${isEndpoint(key)} and disabled_at is null`)
  await dropPending(tx, key)
}

/** Enables an endpoint. Like a new one, it gets the events that are numbered from now on. Requires the cursor lock. */
export async function enableLockedEndpoint(tx: Transaction, key: EndpointKey): Promise<void> {
  await update(
    tx,
    key,
    sql`
      disabled_at = null, disabled_reason = null, failures = 0, failing_since = null, backoff_until = null,
      after_sequence = ${lastSequence(key.tenantId)}`,
  )
  // A fan-out that ran concurrently with the disabling may have inserted deliveries after the drop.
  await dropPending(tx, key)
}

async function dropPending(tx: Transaction, key: EndpointKey): Promise<void> {
  await tx.rows(
    sql`update cell.webhook_delivery set state = 'DROPPED' where ${isOfEndpoint(key)} and state = 'PENDING'`,
  )
}

export function updateHealth(tx: Transaction, key: EndpointKey, to: EndpointHealth): Promise<void> {
  const { failures, failingSince, backoffUntil } = to
  return update(tx, key, sql`failures = ${failures}, failing_since = ${failingSince}, backoff_until = ${backoffUntil}`)
}
