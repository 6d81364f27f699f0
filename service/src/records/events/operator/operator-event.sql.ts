import { boundedCount, keysetCut } from '../../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import type { EventRow } from '../event.sql.ts'
import type { AnyEventType } from '../event-types.ts'

export type OperatorEventRow = EventRow<AnyEventType>

const columns = sql`event.id, event.sequence, event.type, event.version, event.data, event.created_at as "createdAt"`

function matching(tenantId: string, type: AnyEventType | undefined): Sql {
  return sql`event.tenant_id = ${tenantId} ${type === undefined ? sql`` : sql`and event.type = ${type}`}`
}

export function countEvents(tx: Transaction, tenantId: string, type: AnyEventType | undefined): Promise<number> {
  return boundedCount(tx, sql`from cell.event where ${matching(tenantId, type)}`)
}

export function selectEvents(
  tx: Transaction,
  tenantId: string,
  type: AnyEventType | undefined,
  page: KeysetPage,
): Promise<OperatorEventRow[]> {
  const { column, where, orderBy } = keysetCut(sql`event.sequence`, page, {}, 'bigint')
  return tx.rows<OperatorEventRow>(sql`
    select ${columns}, ${column} from cell.event where ${matching(tenantId, type)} and ${where} ${orderBy}`)
}

/** Returns all events after a sequence number, oldest first. */
export function selectAllEventsAfter(
  tx: Transaction,
  tenantId: string,
  { after, limit }: { after: number; limit: number },
): Promise<OperatorEventRow[]> {
  return tx.rows<OperatorEventRow>(sql`
    select ${columns} from cell.event
    where event.tenant_id = ${tenantId} and event.sequence > ${after}::bigint
    order by event.sequence limit ${limit}::bigint`)
}
