import type pg from 'pg'
import { withoutForcedPolicies } from '../../platform/postgres/restored-database.ts'

const cellTables = { 'cell.event_outbox': 'created_at', 'cell.event': 'created_at', 'cell.chain_op': 'changed_at' }
const directoryTables = { 'directory.operator_session': 'last_seen_at', 'directory.credential_use': 'last_used_at' }

/**
 * Returns the tables with rows from after the moment that the database was restored to, and the number of those rows.
 * There are some only if a process has written since the restore, or if the moment is wrong.
 */
export async function selectYoungerRows(
  client: pg.Client,
  restoredTo: string,
  { isCell, isDirectory }: { isCell: boolean; isDirectory: boolean },
): Promise<{ table: string; count: number; newest: string }[]> {
  const columns: Record<string, string> = {
    'base.audit_log': 'at',
    ...(isCell && cellTables),
    ...(isDirectory && directoryTables),
  }
  return withoutForcedPolicies(client, Object.keys(columns), async () => {
    const found = []
    for (const [table, column] of Object.entries(columns)) {
      const { rows } = await client.query<{ count: number; newest: string }>(
        `select count(*)::int as count, max(${column})::text as newest from ${table} where ${column} > $1`,
        [restoredTo],
      )
      const [row] = rows
      if (row && row.count > 0) found.push({ table, ...row })
    }
    return found
  })
}
