import type { Address } from 'viem'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { addressCreatedBy, deskDeployment, factoryDeployment } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { findLatestTry } from '../chain-ops/chain-op-retry.sql.ts'
import { enqueueAgain } from '../chain-ops/enqueue-again.ts'
import type { SignerKey } from './key-backend.ts'

/** Enqueues the deployment of the contracts that a tenant needs before its first token: factory and mint desk. */
export async function enqueueTenantContracts(
  tx: Transaction,
  key: SignerKey,
  { address, adminAddress }: { address: Address; adminAddress: Address },
): Promise<void> {
  const factoryOpId = await enqueueFactory(tx, key, null)
  await enqueueChainOp(tx, {
    ...key,
    kind: 'DEPLOY_DESK',
    dedupeKey: `desk:${key.chain}`,
    call: deskDeployment(address, adminAddress).call,
    dependsOn: factoryOpId,
  })
}

/** Enqueues the deployment of the factory, unless it was enqueued before. Returns the id of its latest try. */
export async function enqueueFactory(tx: Transaction, key: SignerKey, dependsOn: string | null): Promise<string> {
  const dedupeKey = `factory:${key.chain}:${factoryDeployment.address}`
  const { tenantId } = key
  // Returns the latest try, because an op that depends on a failed one fails with it.
  const latest = await findLatestTry(tx, { tenantId, dedupeKey })
  if (latest) return latest.id
  return enqueueChainOp(tx, { ...key, kind: 'DEPLOY_FACTORY', dedupeKey, call: factoryDeployment.call, dependsOn })
}

/** All tenants of a chain share one factory, so another tenant has usually deployed it already. */
export const deployFactoryHandler: ChainOpHandler = {
  // Read from the op, not from this release's factory: an earlier release may have enqueued it.
  deployedAddress: (_, op) => addressCreatedBy(op),
  followsUnfinalized: true,
  isAwaited: true,
  retry: enqueueAgain,
}

export const deployDeskHandler: ChainOpHandler = {
  deployedAddress: ({ deskAddress }) => deskAddress,
  followsUnfinalized: true,
  // The desk depends on the factory, so that ops that depend on the desk have both.
  isIndependent: true,
  isAwaited: true,
  retry: enqueueAgain,
}
