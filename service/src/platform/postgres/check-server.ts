import type pg from 'pg'
import { DatabaseUnavailable } from './sql-errors.ts'

/**
 * Rejects a standby, and a primary that has been replaced. After a failover, a load balancer or a name server may lead
 * a connection to the old primary, or to a standby that is not promoted yet. Their data is older than what the service
 * has shown. Each promotion starts a new timeline, so a lower one than this process has seen belongs to an old primary.
 * The caller retries, and reaches the right server once the failover is complete.
 */
export async function checkServer(client: pg.Client): Promise<void> {
  // The functions of the write-ahead log fail during recovery. The control file has the new timeline only after the
  // first checkpoint, so the timeline comes from the name of the current file of the log.
  const { rows } = await client.query<{ server: string; timeline: string | null }>(`
    select system_identifier::text as server,
           case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline
    from pg_control_system()`)
  const { server, timeline: digits } = rows[0] ?? { server: '', timeline: null }
  if (!digits) throw new StaleServer('The server is a standby: DATABASE_URL and CELLS must lead to the primary.')
  const timeline = Number.parseInt(digits, 16)
  const newest = newestTimelines.get(server) ?? 0
  if (timeline < newest)
    throw new StaleServer(
      `The server is on timeline ${timeline}, but this process has seen ${newest}: it is a former primary. Shut it ` +
        'down. If you restored it on purpose, restart the processes of the service.',
    )
  newestTimelines.set(server, timeline)
  timelineOf.set(client, { server, timeline })
}

/** Returns true if this process has seen a newer primary since the connection was opened: it leads to the old one. */
export function isSuperseded(client: pg.ClientBase): boolean {
  const opened = timelineOf.get(client)
  return opened !== undefined && opened.timeline < (newestTimelines.get(opened.server) ?? 0)
}

/**
 * Newest timelines by system identifier, which a primary and its standbys share. All pools of the process share the
 * map, because all cells of one server fail over together.
 */
const newestTimelines = new Map<string, number>()
const timelineOf = new WeakMap<pg.ClientBase, { server: string; timeline: number }>()

/** The server must not be used, neither for writes nor for reads. */
class StaleServer extends DatabaseUnavailable {}
