import type pg from 'pg'
import { ownerColumn, rowsOfTenant } from './moved-tables.ts'

/** Deletes the rows of a tenant in batches, so that no transaction is long. Returns the number of rows. */
export async function deleteRows(
  client: pg.Client,
  table: string,
  { tenantId, all }: { tenantId: string; all: boolean },
): Promise<number> {
  let count = 0
  for (const leaf of await selectLeaves(client, table)) {
    const rows = (all ? `${table} where ${ownerColumn(table)} = $1` : rowsOfTenant(table)).replace(table, leaf)
    for (;;) {
      const { rowCount } = await client.query(
        `delete from ${leaf} where ctid = any (array(select ctid from ${rows} limit ${batchRows}))`,
        [tenantId],
      )
      count += rowCount ?? 0
      if ((rowCount ?? 0) < batchRows) break
    }
  }
  return count
}

const batchRows = 5_000

/** Turns off foreign keys: all rows of the tenant are deleted, so nothing needs checking. */
export async function ignoreForeignKeys(client: pg.Client): Promise<void> {
  await client.query(`set session_replication_role = 'replica'`)
}

export async function deleteResidence(client: pg.Client, tenantId: string): Promise<void> {
  await client.query('delete from cell.residence where tenant_id = $1', [tenantId])
}

/** Lists the partitions of a table: a row's position identifies it only within its partition. */
async function selectLeaves(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ leaf: string }>(
    `select relid::regclass::text as leaf from pg_partition_tree($1::text::regclass) where isleaf
     union all select $1::text where not exists (select from pg_partition_tree($1::text::regclass))`,
    [table],
  )
  return rows.map(({ leaf }) => leaf)
}
