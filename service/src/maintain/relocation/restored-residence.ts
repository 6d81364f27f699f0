/**
 * Decides which cell serves a tenant after databases were restored to an earlier moment. A restored database shows the
 * state at that moment; a tenant may have moved since. Every move raises the epoch, so the highest epoch is the latest.
 */
import type { Residence } from './prerequisites.sql.ts'
import type { Location } from './tenant-move.sql.ts'

/** Claims of the directory and the cells about a tenant. */
export interface TenantClaims {
  readonly tenantId: string
  readonly location: Location
  readonly residences: readonly (Residence & { readonly cell: string })[]
}

export interface RestoredDatabases {
  readonly cells: ReadonlySet<string>
  readonly isDirectory: boolean
  /** Other cells that are down, so that nobody knows their claims. */
  readonly unreachable: ReadonlySet<string>
}

export interface ResidenceVerdict {
  readonly tenantId: string
  /** The location of the tenant. The directory may say otherwise only if it was restored. */
  readonly location: Location
  /** Restored cells that claim the tenant, although it has moved since the moment. */
  readonly stale: readonly string[]
  /** The cell of the location was restored to a moment before the tenant arrived: no cell serves it. */
  readonly isMissing: boolean
  /** The cells that it has left, newest first. They have its rows until finish-move deletes them. */
  readonly copies: readonly string[]
}

export function judgeResidence(
  { tenantId, location: stored, residences }: TenantClaims,
  restored: RestoredDatabases,
): ResidenceVerdict {
  const newestFirst = residences.toSorted((one, other) => Number(other.epoch - one.epoch))
  const claimed = newestFirst.filter(({ state }) => state !== 'left')
  const [newest] = claimed
  const isOlder = restored.isDirectory && newest !== undefined && newest.epoch > stored.epoch
  const location = isOlder ? { cell: newest.cell, epoch: newest.epoch } : stored
  const isThere = ({ cell, epoch }: { cell: string; epoch: bigint }) =>
    cell === location.cell && epoch === location.epoch
  return {
    tenantId,
    location,
    stale: claimed.filter((claim) => restored.cells.has(claim.cell) && !isThere(claim)).map(({ cell }) => cell),
    isMissing: !restored.unreachable.has(location.cell) && !claimed.some(isThere),
    copies: newestFirst.filter(({ state }) => state === 'left').map(({ cell }) => cell),
  }
}
