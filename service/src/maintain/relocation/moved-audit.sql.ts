/**
 * A database that is a cell and the directory has one audit log for both. A tenant that leaves it takes a copy along,
 * and both logs continue separately from there. When the tenant arrives in such a database, the entries of its cell
 * since the logs separated are appended to the directory's log: same content, new numbers and hashes.
 */
import type pg from 'pg'
import type { MovingCell } from './replication.sql.ts'

export async function countEntriesToAppend(from: MovingCell, to: MovingCell, tenantId: string): Promise<number> {
  return (await lastSequence(from.client, tenantId)) - (await findFork(from.client, to.client, tenantId))
}

/** Selects the entries of the source that the target lacks. */
export async function selectEntriesToAppend(from: MovingCell, to: MovingCell, tenantId: string): Promise<string[]> {
  const { rows } = await from.client.query<{ entry: string }>(
    `select entry::text from base.audit_log entry where tenant_id = $1 and sequence > $2 order by sequence`,
    [tenantId, await findFork(from.client, to.client, tenantId)],
  )
  return rows.map(({ entry }) => entry)
}

/** Appends the entries in the transaction in which the tenant arrives. They keep their time and content. */
export async function appendEntries(to: pg.Client, tenantId: string, entries: readonly string[]): Promise<void> {
  if (entries.length === 0) return
  await to.query(appendFunction)
  await to.query('select pg_temp.append_moved_entries($1, $2)', [tenantId, entries])
  await to.query('drop function pg_temp.append_moved_entries(uuid, text[])')
}

const appendFunction = `
  create function pg_temp.append_moved_entries(tenant uuid, entries text[]) returns void language plpgsql as $$
  declare
    head base.audit_head;
    entry base.audit_log;
    literal text;
  begin
    insert into base.audit_head (tenant_id, sequence, hash)
    values (tenant, 0, sha256(convert_to(tenant::text, 'UTF8'))) on conflict (tenant_id) do nothing;
    select * into strict head from base.audit_head where tenant_id = tenant for update;
    foreach literal in array entries loop
      entry := literal::base.audit_log;
      entry.sequence := head.sequence + 1;
      entry.previous_hash := head.hash;
      entry.hash := base.audit_hash(entry);
      insert into base.audit_log select entry.*;
      head.sequence := entry.sequence;
      head.hash := entry.hash;
    end loop;
    update base.audit_head set sequence = head.sequence, hash = head.hash where tenant_id = tenant;
  end $$`

/**
 * Finds the last entry that both logs have; 0 if they were never one. Every hash covers all entries before it, so a
 * binary search finds it.
 */
async function findFork(source: pg.Client, target: pg.Client, tenantId: string): Promise<number> {
  const isSame = async (sequence: number) => {
    const [one, other] = await Promise.all([source, target].map((client) => hashAt(client, tenantId, sequence)))
    return one !== undefined && one === other
  }
  let same = 0
  let different = Math.min(await lastSequence(source, tenantId), await lastSequence(target, tenantId)) + 1
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2)
    if (await isSame(middle)) same = middle
    else different = middle
  }
  return same
}

async function lastSequence(client: pg.Client, tenantId: string): Promise<number> {
  const { rows } = await client.query<{ sequence: string }>(
    'select sequence from base.audit_head where tenant_id = $1',
    [tenantId],
  )
  return Number(rows[0]?.sequence ?? 0)
}

async function hashAt(client: pg.Client, tenantId: string, sequence: number): Promise<string | undefined> {
  const { rows } = await client.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from base.audit_log where tenant_id = $1 and sequence = $2`,
    [tenantId, sequence],
  )
  return rows[0]?.hash
}
