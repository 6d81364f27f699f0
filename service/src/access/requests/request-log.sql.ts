import type { LoggedRequest } from '../../platform/api/server/logged-request.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

export interface RequestRow extends LoggedRequest {
  readonly id: string
}

export async function insertRequests(
  tx: Transaction,
  tenantId: string,
  requests: readonly RequestRow[],
): Promise<void> {
  const all = <Value>(of: (request: RequestRow) => Value) => requests.map(of)
  await tx.rows(sql`
    insert into cell.request_log
      (tenant_id, client_id, id, day, request_id, answered_at, method, route, status, code, duration_ms,
       idempotency_key)
    select ${tenantId}::uuid, client_id, id, (answered_at at time zone 'utc')::date, request_id, answered_at, method,
           route, status, code, duration_ms, idempotency_key
    from unnest(${all((request) => request.clientId)}::uuid[], ${all((request) => request.id)}::uuid[],
                ${all((request) => request.requestId)}::uuid[], ${all((request) => request.answeredAt)}::timestamptz[],
                ${all((request) => request.method)}::text[], ${all((request) => request.route)}::text[],
                ${all((request) => request.status)}::smallint[], ${all((request) => request.code)}::text[],
                ${all((request) => request.durationMs)}::real[],
                ${all((request) => request.idempotencyKey)}::text[])
      as given (client_id, id, request_id, answered_at, method, route, status, code, duration_ms, idempotency_key)`)
}

/** Newest first, those before one that was already seen; only those that were refused, if asked so. */
export function selectRequests(
  tx: Transaction,
  { tenantId, clientId }: { tenantId: string; clientId: string },
  { before, refused, limit }: { before: string | null; refused: boolean; limit: number },
): Promise<RequestRow[]> {
  return tx.rows<RequestRow>(sql`
    select id, client_id as "clientId", request_id as "requestId", answered_at as "answeredAt", method, route, status,
           code, duration_ms as "durationMs", idempotency_key as "idempotencyKey"
    from cell.request_log
    where tenant_id = ${tenantId} and client_id = ${clientId}
      and (${before}::uuid is null or id < ${before}::uuid)
      and (not ${refused}::boolean or status >= 400)
    order by id desc limit ${limit}::bigint`)
}
