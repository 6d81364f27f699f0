import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import type { Actor } from '../../platform/api/declare/audit.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vaults } from '../../platform/db/vault.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { deskDeployment, factoryDeployment } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import type { Pkcs11Module } from './pkcs11-module.ts'
import { ensureModuleKey } from './pkcs11-signer.ts'
import { sealNewKey } from './sealed-signer.ts'
import { findSigner, insertSigner, type SignerKey } from './signer.sql.ts'

type NewKey = { address: Address } & (
  | { kind: 'sealed'; sealedKey: Buffer; keyLabel: null }
  | { kind: 'pkcs11'; sealedKey: null; keyLabel: string }
)

/**
 * Gives a tenant a key of its own on a chain and asks for the desk that only this key may use. Its contracts are sent
 * as soon as somebody has given the address gas money.
 */
export async function createSigner(
  places: TenantDatabases,
  { vaults, module }: { vaults: Vaults; module: Pkcs11Module | undefined },
  { tenantId, chain, by }: SignerKey & { by?: Actor },
): Promise<{ address: Address; deskAddress: Address } | { refused: 'already there' }> {
  const key = { tenantId, chain }
  const isThere = await inTenantTransaction(places, { tenantId, access: 'read' }, (tx) => findSigner(tx, key))
  if (isThere) return { refused: 'already there' }
  // Before the transaction, which must not wait for a module. A key whose row then fails to come signs for nobody.
  const inModule = module && (await newModuleKey(module, key))
  return inTenantTransaction(places, { tenantId, access: 'write' }, async (tx) => {
    const made = inModule ?? (await newSealedKey(tx, vaults, key))
    const { address, kind } = made
    const deskAddress = deskDeployment(address).address
    if (!(await insertSigner(tx, key, { ...made, deskAddress }))) return { refused: 'already there' }
    await askForContracts(tx, key, address)
    const subject = { type: 'tenant', id: tenantId }
    const after = { chain, address, kind, desk_address: deskAddress }
    if (by) await appendAudit(tx, by, { action: 'tenant.signer_created', subject, after })
    return { address, deskAddress }
  })
}

/**
 * Under a label that nobody has used: a key that is found again, say after a database was restored, has sent
 * transactions, and the numbers of a new row begin at zero.
 */
async function newModuleKey(module: Pkcs11Module, { tenantId, chain }: SignerKey): Promise<NewKey> {
  const keyLabel = `investor-token ${chain} ${tenantId} ${randomUUID().slice(0, 8)}`
  return { kind: 'pkcs11', address: await ensureModuleKey(module, keyLabel), sealedKey: null, keyLabel }
}

async function newSealedKey(tx: Transaction, vaults: Vaults, { tenantId, chain }: SignerKey): Promise<NewKey> {
  return { kind: 'sealed', ...(await sealNewKey(vaults.of(tx, tenantId), chain)), keyLabel: null }
}

/** All tenants of a chain share one factory, so it may be there already; whoever sends the wish then finds its code. */
async function askForContracts(tx: Transaction, key: SignerKey, address: Address): Promise<void> {
  const factory = await enqueueChainOp(tx, {
    ...key,
    kind: 'DEPLOY_FACTORY',
    dedupeKey: `factory:${key.chain}`,
    call: factoryDeployment.call,
  })
  await enqueueChainOp(tx, {
    ...key,
    kind: 'DEPLOY_DESK',
    dedupeKey: `desk:${key.chain}`,
    call: deskDeployment(address).call,
    dependsOn: factory,
  })
}
