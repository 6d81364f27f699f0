import type { Placement } from './placement.ts'
import type { Databases } from './pools.ts'
import { type Access, inTransaction, type Transaction } from './transaction.ts'

/** Where a tenant's rows can be reached: the cells, and the directory that knows which of them. */
export interface TenantDatabases {
  readonly databases: Databases
  readonly placement: Placement
}

/**
 * The only way to a tenant's rows: a transaction in the tenant's cell in which row-level security shows that tenant and
 * nobody else. Whatever the work writes commits together or not at all.
 */
export async function inTenantTransaction<Result>(
  { placement }: TenantDatabases,
  { tenantId, access, msMax }: { tenantId: string; access: Access; msMax?: number | undefined },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const pool = await placement.poolOf(tenantId)
  return inTransaction(pool, { access, identity: { tenantId }, msMax }, work)
}

type DirectoryIdentity = { tenantId: string } | { clientId: string } | { tokenId: string } | { providerId: string }

/**
 * The same for the directory's rows of a tenant (its name, admins and credentials), which are not in a cell.
 * With a clientId, tokenId or providerId instead of a tenantId it shows the one credential, personal token or payment
 * provider of that id: how a caller is found at all.
 */
export async function inDirectoryTransaction<Result>(
  databases: Databases,
  { access, ...identity }: { access: Access } & DirectoryIdentity,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(databases.directory, { access, identity }, work)
}

/** For the one moment at which a tenant is in a cell and not yet in the directory: its creation. */
export async function inCellTransaction<Result>(
  databases: Databases,
  { cell, tenantId }: { cell: string; tenantId: string },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const pool = databases.cells.get(cell)
  if (!pool) throw new Error(`there is no cell ${cell}`)
  return inTransaction(pool, { access: 'write', identity: { tenantId } }, work)
}
