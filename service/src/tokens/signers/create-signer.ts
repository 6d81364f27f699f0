import type { Address } from 'viem'
import type { Actor } from '../../platform/api/declare/audit.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { deskDeployment } from '../chain/contracts.ts'
import type { SignerKey } from './key-backend.ts'
import { findSigner, insertSigner } from './signer.sql.ts'
import type { Signers } from './signers.ts'
import { enqueueTenantContracts } from './tenant-contracts.ts'

export interface CreatedSigner {
  readonly address: Address
  readonly deskAddress: Address
  readonly adminAddress: Address
  readonly keyBackend: string
}

/**
 * Creates a tenant's key on a chain and enqueues the deployment of its mint desk, which only this key may use. The
 * worker deploys the contracts as soon as an operator has sent gas to the address. Returns undefined if the tenant
 * already has a signer on this chain. If the admin is not the key itself, the service grants no roles: the admin does.
 */
export async function createSigner(
  databases: TenantDatabases,
  signers: Signers,
  { tenantId, chain, admin, by }: SignerKey & { admin?: Address | undefined; by?: Actor },
): Promise<CreatedSigner | undefined> {
  const key = { tenantId, chain }
  const existing = await inTenantTransaction(databases, { tenantId, access: 'read' }, (tx) => findSigner(tx, key))
  if (existing) return undefined
  // Outside the transaction, which must not wait for a remote key backend. If the insert fails, the key is unused.
  const created = await signers.createKey(key)
  const { address, keyBackend } = created
  const adminAddress = admin ?? address
  const deskAddress = deskDeployment(address, adminAddress).address
  return inTenantTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
    if (!(await insertSigner(tx, { ...created, deskAddress, adminAddress }))) return undefined
    await enqueueTenantContracts(tx, key, { address, adminAddress })
    const subject = { type: 'tenant', id: tenantId }
    const after = { chain, address, key_backend: keyBackend, desk_address: deskAddress, admin_address: adminAddress }
    if (by) await appendAudit(tx, by, { action: 'tenant.signer_created', subject, after })
    return { address, deskAddress, adminAddress, keyBackend }
  })
}
