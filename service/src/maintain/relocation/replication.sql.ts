/**
 * Logical replication of one tenant's rows from the cell that serves it to another one. Publication, slot and
 * subscription share a name, which contains the epoch: a move forward and the stream back that follows it may be on one
 * server, where slots of all databases share their names.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { MoveRejected } from './move-rejected.ts'
import { auditTables, ownerColumn, replicatedTables } from './moved-tables.ts'

/** A database that takes part in a move. */
export interface MovingCell {
  readonly name: string
  /** Also the address at which the other cell's database connects to this one. */
  readonly url: string
  readonly client: pg.Client
  /** True if the same database contains the directory. */
  readonly isDirectory: boolean
}

export interface Stream {
  readonly name: string
  readonly tenantId: string
  readonly from: MovingCell
  readonly to: MovingCell
}

export function streamOf(tenantId: string, epoch: bigint, from: MovingCell, to: MovingCell): Stream {
  return { name: `move_${tenantId.replaceAll('-', '')}_${epoch}`, tenantId, from, to }
}

/**
 * Publishes the rows, and creates the slot: a subscription that creates its slot would wait for itself if both are on
 * one server. The audit log is copied too, unless the target has the directory's. The stream back leaves it out if
 * either database has the directory's.
 */
export async function createPublication(stream: Stream, { isCopied }: { isCopied: boolean }): Promise<void> {
  const { name, tenantId, from } = stream
  if (!(await exists(from.client, 'pg_publication where pubname', name))) {
    if (!from.isDirectory) await deleteForeignApprovals(from.client, tenantId)
    const tables = publishedTables(stream, { isCopied })
    const filtered = tables.map((table) => `${table} where (${ownerColumn(table)} = ${pg.escapeLiteral(tenantId)})`)
    await from.client.query(
      `create publication ${name} for table ${filtered.join(', ')} with (publish_via_partition_root = true)`,
    )
  }
  if (!(await exists(from.client, slots, name)))
    await from.client.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [name])
}

/**
 * Deletes the directory's approvals, which a tenant takes along when it leaves the directory's database: `database` is
 * not in the replica identity of the table, so no filter of a publication can name it. The copies serve nobody, and
 * would collide with the originals if they were copied back. They are deleted before the cell publishes anything: the
 * publication exists before the slot and is dropped after it, so no stream replicates the deletion to the originals.
 */
async function deleteForeignApprovals(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(`delete from base.approval where tenant_id = $1 and database = 'directory'`, [tenantId])
}

export function publishedTables({ from, to }: Stream, { isCopied }: { isCopied: boolean }): readonly string[] {
  const hasSeparateLog = to.isDirectory || (from.isDirectory && !isCopied)
  return hasSeparateLog ? replicatedTables : [...replicatedTables, ...auditTables]
}

/**
 * Subscribes the target. With `copies`, the existing rows are copied first; otherwise the target has them already. A
 * target with a synchronous standby acknowledges only what the standby has: the source never resends acknowledged
 * changes, so a failover of the target would lose them.
 */
export async function createSubscription({ name, from, to }: Stream, { copies }: { copies: boolean }): Promise<void> {
  if (await exists(to.client, subscriptions, name)) return
  const { rows } = await to.client.query<{ mode: string }>(
    `select case when current_setting('synchronous_standby_names') = '' then 'off' else 'on' end as mode`,
  )
  await to.client.query(
    `create subscription ${name} connection ${pg.escapeLiteral(from.url)} publication ${name}
     with (create_slot = false, copy_data = ${copies}, streaming = on,
           synchronous_commit = ${rows[0]?.mode})`,
  )
}

/** Skips the changes that the stream in the other direction brought, which the target would otherwise get back. */
export async function skipTo({ name, from, to }: Stream, lsn: string): Promise<void> {
  if (await exists(to.client, subscriptions, name)) return
  await from.client.query(
    `select pg_replication_slot_advance(slot_name, $2::pg_lsn) from pg_replication_slots
     where slot_name = $1 and confirmed_flush_lsn < $2::pg_lsn`,
    [name, lsn],
  )
}

export function hasSubscription({ name, to }: Stream): Promise<boolean> {
  return exists(to.client, subscriptions, name)
}

/**
 * Returns false after a failover of the source before PostgreSQL 17, or if max_slot_wal_keep_size has invalidated the
 * slot. A new slot would silently skip the changes in between.
 */
export function hasSlot({ name, from }: Stream): Promise<boolean> {
  return exists(from.client, usableSlots, name)
}

/** Ends everything that writes to the target. The subscription stays, so a killed command can continue. */
export async function stopSubscription(stream: Stream): Promise<void> {
  const { name, to } = stream
  if (!(await hasSubscription(stream))) return
  await to.client.query(`alter subscription ${name} disable`)
  const endsAt = performance.now() + slotMsMax
  while (await exists(to.client, 'pg_stat_subscription where pid is not null and subname', name))
    if (performance.now() > endsAt)
      throw new MoveRejected(
        `The subscription ${name} in cell ${to.name} stays active: end its process, then run again.`,
      )
    else await sleep(20)
}

/** Removes all existing parts of the stream. */
export async function dropStream({ name, from, to }: Stream): Promise<void> {
  if (await exists(to.client, subscriptions, name)) {
    await to.client.query(`alter subscription ${name} disable`)
    // Otherwise dropping the subscription drops the slot, which must not depend on the other server.
    await to.client.query(`alter subscription ${name} set (slot_name = none)`)
    await to.client.query(`drop subscription ${name}`)
  }
  const endsAt = performance.now() + slotMsMax
  while (await exists(from.client, slots, name)) {
    // The sending process ends a moment after the subscription.
    const { rows } = await from.client.query<{ isActive: boolean }>(
      'select active as "isActive" from pg_replication_slots where slot_name = $1',
      [name],
    )
    if (rows[0]?.isActive === false) await from.client.query('select pg_drop_replication_slot($1)', [name])
    else if (performance.now() > endsAt)
      throw new MoveRejected(`The slot ${name} in cell ${from.name} stays active: end its process, then run again.`)
    else await sleep(20)
  }
  await from.client.query(`drop publication if exists ${name}`)
}

const slotMsMax = 30_000
// A server lists the slots and subscriptions of all its databases.
const slots = 'pg_replication_slots where database = current_database() and slot_name'
const usableSlots = slots.replace('where', "where wal_status is distinct from 'lost' and")
const subscriptions =
  'pg_subscription join pg_database on pg_database.oid = subdbid where datname = current_database() and subname'

export interface CopyProgress {
  readonly ready: number
  readonly tables: number
  readonly errors: number
}

export async function findCopyProgress({ name, to }: Stream): Promise<CopyProgress> {
  const { rows } = await to.client.query<CopyProgress>(
    `select count(*) filter (where srsubstate = 'r')::integer as ready, count(*)::integer as tables,
            (select (apply_error_count + sync_error_count)::integer from pg_stat_subscription_stats
             where subname = $1) as errors
     from pg_subscription join pg_subscription_rel on srsubid = pg_subscription.oid where subname = $1`,
    [name],
  )
  return rows[0] as CopyProgress
}

/** Waits until the target has applied everything that the source has committed until now. */
export async function caughtUp(stream: Stream, msMax: number): Promise<void> {
  const { name, from } = stream
  const { rows } = await from.client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
  const endsAt = performance.now() + msMax
  for (;;) {
    const { rowCount } = await from.client.query(
      `select from pg_replication_slots join pg_stat_replication on pid = active_pid
       where slot_name = $1 and replay_lsn >= $2::pg_lsn`,
      [name, rows[0]?.lsn],
    )
    if (rowCount) return
    await requireSlot(stream)
    if (performance.now() > endsAt) throw new NotCaughtUp(`The target did not catch up within ${msMax} ms.`)
    await sleep(5)
  }
}

/** Rejects the move if the slot is lost: the target would never catch up. */
export async function requireSlot(stream: Stream): Promise<void> {
  if (await hasSlot(stream)) return
  throw new MoveRejected(
    `Cell ${stream.from.name} has lost the slot ${stream.name}, as in a failover: run the command again, which ` +
      'copies the rows anew.',
  )
}

/** Replication is behind or has stopped. The tenant stays where it is. */
export class NotCaughtUp extends MoveRejected {}

async function exists(client: pg.Client, where: string, name: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${where} = $1`, [name])
  return rowCount !== 0
}
