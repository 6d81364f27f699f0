import type pg from 'pg'

/** The end of the audit log of a tenant. */
export interface AuditHeadRow {
  tenantId: string
  sequence: string
  /** In hexadecimal. */
  hash: string
}

/** Sorted by tenant id. Runs with the worker's role, which sees only the hashes of the logs. */
export async function selectAuditHeads(
  database: pg.Pool,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<AuditHeadRow[]> {
  const { rows } = await database.query<AuditHeadRow>(
    `select tenant_id as "tenantId", sequence::text as sequence, encode(hash, 'hex') as hash
     from base.audit_head where $1::uuid is null or tenant_id > $1 order by tenant_id limit $2`,
    [after, limit],
  )
  return rows
}

/** Returns the tenants whose log no longer contains this entry. */
export async function selectRewrittenChains(database: pg.Pool, known: readonly AuditHeadRow[]): Promise<string[]> {
  const { rows } = await database.query<{ tenantId: string }>(
    `select known.tenant_id as "tenantId"
     from unnest($1::uuid[], $2::bigint[], $3::text[]) known (tenant_id, sequence, hash)
     left join base.audit_log on audit_log.tenant_id = known.tenant_id and audit_log.sequence = known.sequence
     where known.sequence > 0 and encode(audit_log.hash, 'hex') is distinct from known.hash`,
    [known.map(({ tenantId }) => tenantId), known.map(({ sequence }) => sequence), known.map(({ hash }) => hash)],
  )
  return rows.map(({ tenantId }) => tenantId)
}
