import type pg from 'pg'
import { withoutForcedPolicies } from '../../platform/postgres/restored-database.ts'
import type { Residence } from './prerequisites.sql.ts'
import type { Location } from './tenant-move.sql.ts'

/** Selects all tenants of the directory, and their locations. */
export function selectLocations(client: pg.Client): Promise<(Location & { tenantId: string })[]> {
  return withoutForcedPolicies(client, ['directory.tenant'], async () => {
    const { rows } = await client.query<{ tenantId: string; cell: string; epoch: string }>(
      'select id as "tenantId", cell, epoch from directory.tenant order by id',
    )
    return rows.map((row) => ({ ...row, epoch: BigInt(row.epoch) }))
  })
}

export async function selectResidences(worker: pg.Pool): Promise<(Residence & { tenantId: string })[]> {
  const { rows } = await worker.query<{ tenantId: string; state: Residence['state']; epoch: string }>(
    'select tenant_id as "tenantId", state, epoch from cell.residence',
  )
  return rows.map((row) => ({ ...row, epoch: BigInt(row.epoch) }))
}

/** Updates as each tenant: the policies cannot be switched off in a transaction that also fires deferred triggers. */
export async function setLocations(
  client: pg.Client,
  tenants: readonly { tenantId: string; location: Location }[],
): Promise<void> {
  for (const { tenantId, location } of tenants) {
    await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
    await client.query('update directory.tenant set cell = $2, epoch = $3 where id = $1', [
      tenantId,
      location.cell,
      String(location.epoch),
    ])
  }
}

/** Makes a restored cell refuse all transactions of the tenants; its workers then ignore their rows. */
export async function setAllLeft(client: pg.Client, tenantIds: readonly string[]): Promise<void> {
  await withoutForcedPolicies(client, ['cell.residence'], () =>
    client.query(`update cell.residence set state = 'left' where tenant_id = any ($1)`, [tenantIds]),
  )
}

/** Undoes, in a restored cell, a switch that was under way at the moment and that the directory does not know. */
export async function setAllHere(client: pg.Client, tenantIds: readonly string[]): Promise<void> {
  await withoutForcedPolicies(client, ['cell.residence'], () =>
    client.query(`update cell.residence set state = 'here' where tenant_id = any ($1) and state = 'leaving'`, [
      tenantIds,
    ]),
  )
}

/**
 * Ends moves whose streams or copies a restore has broken: slots are not restored, and a copy that went back in time
 * does not follow. Only finish-move is possible after that.
 */
export async function endBrokenMoves(
  directory: pg.Client,
  { restoredCells, tenantIds }: { restoredCells: readonly string[]; tenantIds: readonly string[] },
): Promise<void> {
  await directory.query(
    `update directory.tenant_move set step = 'finishing'
     where (from_cell = any ($1) or to_cell = any ($1)) and tenant_id = any ($2)`,
    [restoredCells, tenantIds],
  )
}
