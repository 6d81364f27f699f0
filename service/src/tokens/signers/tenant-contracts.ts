import type { Address } from 'viem'
import type { Transaction } from '../../platform/db/transaction.ts'
import { deskDeployment, factoryDeployment } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { enqueueAgain } from '../chain-ops/enqueue-again.ts'
import type { SignerKey } from './key-backend.ts'

/** Enqueues the deployment of the contracts that a tenant needs before its first token: factory and mint desk. */
export async function enqueueTenantContracts(
  tx: Transaction,
  key: SignerKey,
  { address, adminAddress }: { address: Address; adminAddress: Address },
): Promise<void> {
  const factoryOpId = await enqueueChainOp(tx, {
    ...key,
    kind: 'DEPLOY_FACTORY',
    dedupeKey: `factory:${key.chain}`,
    call: factoryDeployment.call,
  })
  await enqueueChainOp(tx, {
    ...key,
    kind: 'DEPLOY_DESK',
    dedupeKey: `desk:${key.chain}`,
    call: deskDeployment(address, adminAddress).call,
    dependsOn: factoryOpId,
  })
}

/** All tenants of a chain share one factory, so another tenant has usually deployed it already. */
export const deployFactoryHandler: ChainOpHandler = {
  deployedAddress: () => factoryDeployment.address,
  retry: enqueueAgain,
}

export const deployDeskHandler: ChainOpHandler = {
  deployedAddress: ({ deskAddress }) => deskAddress,
  retry: enqueueAgain,
}
