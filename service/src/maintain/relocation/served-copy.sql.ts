/** The copy of a tenant in a cell that it has left, which is to be served again. */
import type pg from 'pg'

/** The end of a copy. */
export interface CopyEnd {
  /** The time of its newest event, entry in the audit log or change of a chain op; null if it has none. */
  readonly changedAt: string | null
  /** The number of its last event. */
  readonly lastEvent: string
}

/** Returns undefined if the cell has no rows of the tenant. For an accepted copy, returns its end before that. */
export async function findCopyEnd(client: pg.Client, tenantId: string): Promise<CopyEnd | undefined> {
  const { rows } = await client.query<CopyEnd>(
    `select coalesce(accepted.restored_to, greatest(
              (select max(created_at) from cell.event where tenant_id = $1),
              (select max(at) from base.audit_log where tenant_id = $1),
              (select max(changed_at) from cell.chain_op where tenant_id = $1)
            ))::text as "changedAt",
            coalesce(accepted.kept_sequence, event_head.last_sequence, 0)::text as "lastEvent"
     from cell.tenant
     left join cell.event_head on event_head.tenant_id = tenant.id
     left join (cell.residence join cell.event_head accepted using (tenant_id))
       on accepted.tenant_id = tenant.id and residence.state = 'here'
     where tenant.id = $1`,
    [tenantId],
  )
  return rows[0]
}

/**
 * Makes the indexer of the cell read the tenant's tokens again from the start: it has not read them since the tenant
 * left. Reading them again changes nothing in the copy.
 */
export async function forgetTokenProgress(client: pg.Client, tenantId: string): Promise<number> {
  const { rowCount } = await client.query(
    `delete from cell.indexed_token where exists (
       select from cell.offering where tenant_id = $1 and blockchain = indexed_token.chain
         and lower(offering.token_address) = indexed_token.token_address
     )`,
    [tenantId],
  )
  return rowCount ?? 0
}

export async function selectOfferingIds(client: pg.Client, tenantId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select id from cell.offering where tenant_id = $1 order by id', [
    tenantId,
  ])
  return rows.map(({ id }) => id)
}
