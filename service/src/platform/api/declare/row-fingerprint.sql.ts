import { type Sql, sql } from '../../postgres/sql.ts'
import type { SubjectFingerprint } from './approval.ts'

/**
 * Returns the fingerprint of a row with the key (tenant_id, id): a hash of all its columns. Locks the row until the end
 * of the transaction, so that it cannot change between the comparison and the operation.
 */
export function rowFingerprint(table: Sql): SubjectFingerprint {
  return async ({ tenantId, id }, tx) => {
    const found = await tx.row<{ fingerprint: string }>(sql`
      select md5(subject::text) as fingerprint from ${table} subject
      where subject.tenant_id = ${tenantId} and subject.id = ${id}
      for no key update of subject`)
    return found?.fingerprint ?? ''
  }
}
