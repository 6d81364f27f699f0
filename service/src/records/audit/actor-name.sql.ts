import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** Returns the names of users, even removed ones, and credentials by id, in a transaction of the directory. */
export async function selectActorNames(
  tx: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)]
  const rows = await tx.rows<{ id: string; name: string }>(sql`
    select id, name from directory.operator_user where tenant_id = ${tenantId} and id = any (${wanted}::uuid[])
    union all
    select id, name from directory.credential where tenant_id = ${tenantId} and id = any (${wanted}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
