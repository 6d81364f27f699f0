import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import type { LoggedRequest } from '../../platform/api/server/logged-request.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

export interface RequestRow extends LoggedRequest {
  readonly id: string
}

export async function insertRequests(
  tx: Transaction,
  tenantId: string,
  requests: readonly RequestRow[],
): Promise<void> {
  const all = <Value>(of: (request: RequestRow) => Value) => requests.map(of)
  // Text of an array whose values need no quotes. The driver would check every value of every request for them.
  const plain = (of: (request: RequestRow) => string | number) => `{${requests.map(of).join()}}`
  await tx.rows(sql`
    insert into cell.request_log
      (tenant_id, client_id, id, day, request_id, responded_at, method, route, status, code, duration_ms,
       idempotency_key)
    select ${tenantId}::uuid, client_id, id, (responded_at at time zone 'utc')::date, request_id, responded_at, method,
           route, status, code, duration_ms, idempotency_key
    from unnest(${plain((request) => request.clientId)}::uuid[], ${plain((request) => request.id)}::uuid[],
                ${plain((request) => request.requestId)}::uuid[],
                ${plain((request) => request.respondedAt.toISOString())}::timestamptz[],
                ${all((request) => request.method)}::text[], ${all((request) => request.route)}::text[],
                ${plain((request) => request.status)}::smallint[], ${all((request) => request.code)}::text[],
                ${plain((request) => request.durationMs)}::real[],
                ${all((request) => request.idempotencyKey)}::text[])
      as given (client_id, id, request_id, responded_at, method, route, status, code, duration_ms, idempotency_key)`)
}

const columns = sql`
  id, client_id as "clientId", request_id as "requestId", responded_at as "respondedAt", method, route, status, code,
  duration_ms as "durationMs", idempotency_key as "idempotencyKey"`

/** Newest first. `before` is the id of the last entry of the previous page. */
export function selectRequests(
  tx: Transaction,
  { tenantId, clientId }: { tenantId: string; clientId: string },
  { before, failedOnly, limit }: { before: string | null; failedOnly: boolean; limit: number },
): Promise<RequestRow[]> {
  return tx.rows<RequestRow>(sql`
    select ${columns} from cell.request_log
    where tenant_id = ${tenantId} and client_id = ${clientId}
      and (${before}::uuid is null or id < ${before}::uuid)
      and (not ${failedOnly}::boolean or status >= 400)
    order by id desc limit ${limit}::bigint`)
}

interface RequestFilter {
  readonly clientId: string
  readonly failedOnly: boolean
}

function matching(tenantId: string, { clientId, failedOnly }: RequestFilter): Sql {
  return sql`tenant_id = ${tenantId} and client_id = ${clientId} and ${failedOnly ? sql`status >= 400` : sql`true`}`
}

export function pageOfLoggedRequests(tx: Transaction, tenantId: string, filter: RequestFilter, page: KeysetPage) {
  return countedPage<RequestRow>(tx, page, {
    columns,
    from: sql`cell.request_log`,
    where: matching(tenantId, filter),
    id: sql`request_log.id`,
  })
}
