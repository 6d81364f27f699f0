import { setTimeout as sleep } from 'node:timers/promises'
import type { Databases } from '../pools.ts'
import { inSingleStatement, inTransaction } from '../run-transaction.ts'
import type { Sql } from '../sql.ts'
import { DatabaseUnavailable, isNotResident } from '../sql-errors.ts'
import type { Access, Transaction } from '../transaction.ts'
import type { Placement } from './placement.ts'

/** Access to tenants' rows: the databases, and the mapping from tenants to cells. */
export interface TenantDatabases {
  readonly databases: Databases
  readonly placement: Placement
}

/**
 * The only access to a tenant's rows: a transaction in the tenant's cell in which row-level security exposes that
 * tenant only. All writes commit together or not at all.
 *
 * If the cell reports that the tenant is not there, this process has an outdated placement, or the tenant is moving.
 * The work then starts again in the cell that the directory names. That is safe, because the cell reports it before the
 * first statement of a write. Work with a longer timeout has read an upload, and cannot be repeated.
 */
export async function inTenantTransaction<Result>(
  { placement }: TenantDatabases,
  {
    tenantId,
    access,
    msMax,
    isPinned,
  }: { tenantId: string; access: Access; msMax?: number | undefined; isPinned?: boolean },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const endsAt = performance.now() + movingMsMax
  for (;;) {
    const { pool, epoch } = await placement.locate(tenantId)
    try {
      return await inTransaction(pool, { access, identity: { tenantId }, epoch, msMax, isPinned }, work)
    } catch (error) {
      if (!isNotResident(error)) throw error
      placement.forget(tenantId)
      if (msMax !== undefined || performance.now() > endsAt)
        throw new DatabaseUnavailable('The tenant is moving to another cell.', { cause: error })
    }
    // Random, so that not all requests retry at once when the move is complete.
    await sleep(25 + Math.random() * 50)
  }
}

/** A move stops writers for less than two seconds, or undoes itself after three. */
const movingMsMax = 5_000

type DirectoryIdentity =
  | { tenantId: string }
  | { clientId: string }
  | { invitationId: string }
  | { deviceId: string }
  | { identityId: string; tenantId?: string }
  | { providerId: string }

/**
 * Like inTenantTransaction, for a tenant's rows in the directory (its name, users and credentials), which are not in a
 * cell. With the id of a credential, invitation, device, person or provider instead of a tenantId, it exposes only the
 * rows that belong to that id, so that a caller can be identified before its tenant is known.
 */
export async function inDirectoryTransaction<Result>(
  databases: Databases,
  { access, isPinned, ...identity }: { access: Access; isPinned?: boolean } & DirectoryIdentity,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(databases.directory, { access, identity, isPinned }, work)
}

/** Accesses rows of the directory that belong to no tenant: cells and leases. Row-level security exposes no others. */
export async function inDirectoryWithoutTenant<Result>(
  databases: Databases,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(databases.directory, { access: 'write', identity: {} }, work)
}

/** Calls a function of the directory that exposes one row by its id, such as `directory.find_session`. */
export async function findInDirectory<Row>(databases: Databases, statement: Sql): Promise<Row | undefined> {
  return inSingleStatement(databases.directory, statement)
}

/** Creates a tenant's rows in the cell before the directory knows the tenant. */
export async function inCellTransaction<Result>(
  databases: Databases,
  { cell, tenantId }: { cell: string; tenantId: string },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const pool = databases.cells.get(cell)
  if (!pool) throw new Error(`cell ${cell} is not known`)
  return inTransaction(pool, { access: 'write', identity: { tenantId } }, work)
}
