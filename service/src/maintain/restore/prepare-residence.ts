import type pg from 'pg'
import { connectForMaintenance, inClientTransaction } from '../../platform/postgres/maintenance-client.ts'
import { createPool } from '../../platform/postgres/pools.ts'
import { type RestoredDatabase, RestoreRejected, type StepReport } from '../../platform/postgres/restored-database.ts'
import {
  endBrokenMoves,
  selectLocations,
  selectResidences,
  setAllHere,
  setAllLeft,
  setLocations,
} from '../relocation/restored-residence.sql.ts'
import {
  judgeResidence,
  type ResidenceVerdict,
  type RestoredDatabases,
  type TenantClaims,
} from '../relocation/restored-residence.ts'
import { type RestoreContext, type RestoreTarget, step } from './restore-context.ts'

/**
 * Makes directory and cells agree on where each tenant is, before anything else is prepared: a tenant that has moved
 * since the moment must not be served by two cells, nor by the one that it has left.
 */
export async function prepareResidence(
  { config, log }: RestoreContext,
  opened: readonly { target: RestoreTarget; database: RestoredDatabase }[],
): Promise<void> {
  const restored = {
    cells: new Set(opened.flatMap(({ target }) => target.cell ?? [])),
    isDirectory: opened.some(({ target }) => target.isDirectory),
    unreachable: new Set<string>(),
  }
  const directory = await connectForMaintenance(config.ownerDatabaseUrl, 'after-restore')
  try {
    const claims = await collectClaims(directory, { config, log, restored })
    const verdicts = claims.map((claim) => judgeResidence(claim, restored))
    const served = idsOf(verdicts.filter(({ isMissing }) => !isMissing))
    await endBrokenMoves(directory, { restoredCells: [...restored.cells], tenantIds: served })
    for (const { target, database } of opened)
      await step(database, 'residence', (client) => correct(client, target, { claims, verdicts }))
  } finally {
    await directory.end()
  }
}

type Restored = Omit<RestoredDatabases, 'unreachable'> & { readonly unreachable: Set<string> }

/** Collects the claims of all cells. Also notes which cells are unreachable. */
async function collectClaims(
  directory: pg.Client,
  { config, log, restored }: Pick<RestoreContext, 'config' | 'log'> & { restored: Restored },
): Promise<TenantClaims[]> {
  const residences = []
  for (const [cell, url] of config.ownerCells) {
    const pool = createPool({ url, role: 'investor_token_worker', cell, max: 1, isOwner: true }, config, log)
    try {
      for (const residence of await selectResidences(pool)) residences.push({ cell, ...residence })
    } catch (error) {
      // A directory that was not restored knows where tenants are, so another cell that is down must not stop this one.
      if (restored.isDirectory || restored.cells.has(cell))
        throw new RestoreRejected(
          `Cell ${cell} cannot be reached, and without it no one knows which tenants are there: start it, then run ` +
            `the command again. ${(error as Error).message}`,
        )
      restored.unreachable.add(cell)
    } finally {
      await pool.end()
    }
  }
  const ofTenant = Map.groupBy(residences, ({ tenantId }) => tenantId)
  const locations = await inClientTransaction(directory, () => selectLocations(directory))
  return locations.map(({ tenantId, ...location }) => ({
    tenantId,
    location,
    residences: ofTenant.get(tenantId) ?? [],
  }))
}

async function correct(
  client: pg.Client,
  { cell, isDirectory }: RestoreTarget,
  { claims, verdicts }: { claims: readonly TenantClaims[]; verdicts: readonly ResidenceVerdict[] },
): Promise<StepReport> {
  const moved = isDirectory
    ? verdicts.filter(({ location }, index) => location.epoch !== claims[index]?.location.epoch)
    : []
  await setLocations(client, moved)
  const stale = verdicts.filter((verdict) => cell !== undefined && verdict.stale.includes(cell))
  if (cell) await correctCell(client, cell, { stale, verdicts })
  const missing = verdicts.filter(({ isMissing, location }) => isMissing && (isDirectory || location.cell === cell))
  const lines = [
    ...moved.map(
      ({ tenantId, location }) =>
        `tenant ${tenantId} has moved to cell ${location.cell} since: the directory says so again`,
    ),
    ...stale.map(
      ({ tenantId, location }) =>
        `tenant ${tenantId} has moved to cell ${location.cell} since, which serves it: delete its rows from before ` +
        `with maintain finish-move --tenant ${tenantId} --cell ${cell}`,
    ),
    ...missing.map(missingLine),
  ]
  return lines.length > 0 ? lines : ['every tenant is where it was at the moment']
}

async function correctCell(
  client: pg.Client,
  cell: string,
  { stale, verdicts }: { stale: readonly ResidenceVerdict[]; verdicts: readonly ResidenceVerdict[] },
): Promise<void> {
  const staying = verdicts.filter(({ isMissing, location }) => !isMissing && location.cell === cell)
  await setAllLeft(client, idsOf(stale))
  await setAllHere(client, idsOf(staying))
}

function idsOf(verdicts: readonly ResidenceVerdict[]): string[] {
  return verdicts.map(({ tenantId }) => tenantId)
}

function missingLine({ tenantId, location: { cell }, copies: [copy] }: ResidenceVerdict): string {
  const remedy = copy
    ? `cell ${copy} has the copy that a move left there: maintain serve-copy --tenant ${tenantId} --cell ${copy}`
    : `no cell that can be reached has a copy: restore cell ${cell} to a moment after the move`
  const reason = `it moved after the moment, and cell ${cell} does not have its rows`
  return `tenant ${tenantId} is NOT SERVED: ${reason}; ${remedy}`
}
