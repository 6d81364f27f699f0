import type { Hash } from 'viem'
import type { Clock } from '../../platform/base/clock.ts'
import type { Logger } from '../../platform/base/log.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vaults } from '../../platform/db/vault.ts'
import type { Chain } from '../chain/chain.ts'
import type { Pkcs11Module } from '../signers/pkcs11-module.ts'
import { type ChainSigner, findSigner } from '../signers/signer.sql.ts'
import type { Signature } from '../signers/signer.ts'
import { signerOf } from '../signers/signers.ts'

/** What settling needs: the chains, the keys, and how patient to be. */
export interface Settlement extends TenantDatabases {
  readonly chains: ReadonlyMap<string, Chain>
  readonly vaults: Vaults
  /** Where keys are that no database holds. */
  readonly module: Pkcs11Module | undefined
  readonly clock: Clock
  readonly log: Logger
  /** How long a transaction may stay out of blocks before its fee is raised. */
  readonly bumpAfterMs: number
}

export function inTenantWrite<Result>(
  settlement: TenantDatabases,
  tenantId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTenantTransaction(settlement, { tenantId, access: 'write' }, work)
}

export async function requireSigner(
  settlement: Settlement,
  key: { tenantId: string; chain: string },
): Promise<ChainSigner> {
  const signer = await inTenantTransaction(settlement, { tenantId: key.tenantId, access: 'read' }, (tx) =>
    findSigner(tx, key),
  )
  if (!signer) throw new Error('an op has no signer')
  return signer
}

/** A signature of the tenant's key, which is opened for it and forgotten. */
export function signDigest(
  settlement: Settlement,
  tenantId: string,
  row: ChainSigner,
  digest: Hash,
): Promise<Signature> {
  return inTenantTransaction(settlement, { tenantId, access: 'read' }, (tx) =>
    signerOf(row, settlement.vaults.of(tx, tenantId), settlement.module).signDigest(digest),
  )
}
