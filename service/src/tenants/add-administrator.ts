import { newId } from '../base/ids.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Role } from '../http/roles.ts'
import { insertAdministrator, tenantExists } from './tenant.sql.ts'

export type AddedAdministrator = { administratorId: string } | { refused: 'no such tenant' | 'address already known' }

/** A person who runs the tenant and is told when something is wrong with it. */
export async function addAdministrator(
  tx: Transaction,
  { tenantId, name, email, role }: { tenantId: string; name: string; email: string; role: Role },
): Promise<AddedAdministrator> {
  if (!(await tenantExists(tx, tenantId))) return { refused: 'no such tenant' }
  const administratorId = newId()
  const isNew = await insertAdministrator(tx, { tenantId, administratorId, name, email, role })
  return isNew ? { administratorId } : { refused: 'address already known' }
}
