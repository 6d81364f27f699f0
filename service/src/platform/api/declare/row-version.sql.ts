import { type Sql, sql } from '../../postgres/sql.ts'
import type { SubjectVersion } from './approval.ts'

/**
 * Returns the version of a row with the key (tenant_id, id): a hash of all its columns. Locks the row until the end of
 * the transaction, so that it cannot change between the comparison and the operation.
 */
export function rowVersion(table: Sql): SubjectVersion {
  return async ({ tenantId, id }, tx) => {
    const found = await tx.row<{ version: string }>(sql`
      select md5(subject::text) as version from ${table} subject
      where subject.tenant_id = ${tenantId} and subject.id = ${id}
      for no key update of subject`)
    return found?.version ?? ''
  }
}
