import type { Placement } from './placement.ts'
import type { Databases } from './pools.ts'
import { type Access, inTransaction, type Transaction } from './transaction.ts'

/** Access to tenants' rows: the databases, and the mapping from tenants to cells. */
export interface TenantDatabases {
  readonly databases: Databases
  readonly placement: Placement
}

/**
 * The only way to access a tenant's rows: a transaction in the tenant's cell in which row-level security exposes that
 * tenant only. All writes commit together or not at all.
 */
export async function inTenantTransaction<Result>(
  { placement }: TenantDatabases,
  { tenantId, access, msMax }: { tenantId: string; access: Access; msMax?: number | undefined },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const pool = await placement.poolOf(tenantId)
  return inTransaction(pool, { access, identity: { tenantId }, msMax }, work)
}

type DirectoryIdentity =
  | { tenantId: string }
  | { clientId: string }
  | { tokenId: string }
  | { sessionId: string }
  | { invitationId: string }
  | { deviceId: string }
  | { identityId: string; tenantId?: string }
  | { providerId: string }

/**
 * The same for a tenant's rows in the directory (its name, users and credentials), which are not in a cell. With the id
 * of a credential, token, session, invitation, device, person or provider instead of a tenantId, it exposes only the
 * rows that belong to that id, so that a caller can be identified before its tenant is known.
 */
export async function inDirectoryTransaction<Result>(
  databases: Databases,
  { access, ...identity }: { access: Access } & DirectoryIdentity,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(databases.directory, { access, identity }, work)
}

/** For creating a tenant, whose rows are inserted in the cell before the directory knows the tenant. */
export async function inCellTransaction<Result>(
  databases: Databases,
  { cell, tenantId }: { cell: string; tenantId: string },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const pool = databases.cells.get(cell)
  if (!pool) throw new Error(`CELLS does not list cell ${cell}`)
  return inTransaction(pool, { access: 'write', identity: { tenantId } }, work)
}
