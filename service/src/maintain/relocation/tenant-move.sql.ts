import type pg from 'pg'
import { inClientTransaction } from '../../platform/postgres/maintenance-client.ts'

export interface TenantMove {
  readonly tenantId: string
  readonly from: string
  readonly to: string
  /** Epoch of the tenant in `from`; in `to` it is one higher. */
  readonly epoch: bigint
  readonly step: 'copying' | 'switching' | 'switched' | 'moved' | 'finishing'
  readonly switchedLsn: string | null
  readonly copiedJobs: readonly string[]
}

/** The cell of a tenant, and the number of its moves: the directory and the cell must agree on both. */
export interface Location {
  readonly cell: string
  readonly epoch: bigint
}

/** Waits for a command that was killed: its connection ends a moment later. The lock ends with the connection. */
export async function lockMove(directory: pg.Client, tenantId: string): Promise<void> {
  await directory.query(`select pg_advisory_lock(hashtextextended('directory.tenant_move ' || $1, 0))`, [tenantId])
}

export async function unlockMove(directory: pg.Client, tenantId: string): Promise<void> {
  await directory.query(`select pg_advisory_unlock(hashtextextended('directory.tenant_move ' || $1, 0))`, [tenantId])
}

export async function findMove(directory: pg.Client, tenantId: string): Promise<TenantMove | undefined> {
  const { rows } = await directory.query<Omit<TenantMove, 'epoch'> & { epoch: string }>(
    `select tenant_id as "tenantId", from_cell as "from", to_cell as "to", epoch, step,
            switched_lsn::text as "switchedLsn", copied_jobs::text[] as "copiedJobs"
     from directory.tenant_move where tenant_id = $1`,
    [tenantId],
  )
  return rows[0] && { ...rows[0], epoch: BigInt(rows[0].epoch) }
}

export async function selectMoves(
  directory: pg.Client,
): Promise<(Pick<TenantMove, 'tenantId' | 'from' | 'to' | 'step'> & { startedAt: string })[]> {
  const { rows } = await directory.query(
    `select tenant_id as "tenantId", from_cell as "from", to_cell as "to", step, started_at::text as "startedAt"
     from directory.tenant_move order by started_at`,
  )
  return rows
}

/** Returns the location of the tenant according to the directory. */
export async function findLocation(directory: pg.Client, tenantId: string): Promise<Location | undefined> {
  return asTenant(directory, tenantId, async () => {
    const { rows } = await directory.query<{ cell: string; epoch: string }>(
      'select cell, epoch from directory.tenant where id = $1',
      [tenantId],
    )
    return rows[0] && { cell: rows[0].cell, epoch: BigInt(rows[0].epoch) }
  })
}

/** Begins a move, or a move back, which replaces the move that it reverses. */
export async function insertMove(
  directory: pg.Client,
  move: Pick<TenantMove, 'tenantId' | 'from' | 'to' | 'epoch'>,
): Promise<void> {
  await directory.query(
    `insert into directory.tenant_move (tenant_id, from_cell, to_cell, epoch) values ($1, $2, $3, $4)
     on conflict (tenant_id) do update
     set from_cell = excluded.from_cell, to_cell = excluded.to_cell, epoch = excluded.epoch, step = 'copying',
         switched_lsn = null, copied_jobs = '{}', started_at = clock_timestamp(), switched_at = null`,
    [move.tenantId, move.from, move.to, String(move.epoch)],
  )
}

export async function setMoveStep(directory: pg.Client, tenantId: string, step: TenantMove['step']): Promise<void> {
  await directory.query('update directory.tenant_move set step = $2 where tenant_id = $1', [tenantId, step])
}

export async function deleteMove(directory: pg.Client, tenantId: string): Promise<void> {
  await directory.query('delete from directory.tenant_move where tenant_id = $1', [tenantId])
}

/** Points the directory to the other cell, where processes look from the commit on, and invalidates their caches. */
export async function switchDirectory(
  directory: pg.Client,
  { tenantId, to, epoch }: TenantMove,
  { lsn, jobs }: { lsn: string; jobs: readonly string[] },
): Promise<void> {
  await asTenant(directory, tenantId, async () => {
    const { rowCount } = await directory.query(
      'update directory.tenant set cell = $2, epoch = $3 where id = $1 and epoch = $4',
      [tenantId, to, String(epoch + 1n), String(epoch)],
    )
    if (rowCount !== 1) throw new Error('the epoch of the tenant in the directory has changed during the move')
    await directory.query(
      `update directory.tenant_move
       set step = 'switched', switched_lsn = $2, copied_jobs = $3, switched_at = clock_timestamp()
       where tenant_id = $1`,
      [tenantId, lsn, jobs],
    )
  })
}

/** Sets the tenant, because policies bind the owner too. */
function asTenant<Result>(directory: pg.Client, tenantId: string, work: () => Promise<Result>): Promise<Result> {
  return inClientTransaction(directory, async () => {
    await directory.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
    return work()
  })
}
