import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { type ChainContext, inTenantWrite } from '../chain/chain-context.ts'
import { deployTokenCall, tokenAddressOf } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import { findSigner } from '../signers/signer.sql.ts'
import { enqueueFactory } from '../signers/tenant-contracts.ts'
import { findDeskOp, lockOfferingWithoutToken, setTokenAddress } from './offering-token.sql.ts'

/**
 * Enqueues the deployment of an open offering's token. Stores the token's address first, which is derived from the desk
 * and the offering, so that the indexer reads the token from its first block. Does nothing if the tenant has no signer
 * on the chain.
 */
export function planToken(context: ChainContext, key: OfferingKey): Promise<void> {
  return inTenantWrite(context, key.tenantId, async (tx) => {
    const offering = await lockOfferingWithoutToken(tx, key)
    const signer = offering && (await findSigner(tx, { ...key, chain: offering.chain }))
    if (!offering || !signer) return
    const { chain, name, symbol, decimals, totalUnits, lockUpUntil } = offering
    const terms = { name, symbol, decimals, cap: BigInt(totalUnits), admin: signer.adminAddress, lockUpUntil }
    const deskOp = await findDeskOp(tx, { ...key, chain })
    // A tenant that has used an earlier version of the contracts has its desk, but not this factory.
    const factoryOpId = await enqueueFactory(tx, { tenantId: key.tenantId, chain }, deskOp?.id ?? null)
    await enqueueChainOp(tx, {
      ...key,
      chain,
      kind: 'DEPLOY_TOKEN',
      dedupeKey: `token:${key.offeringId}`,
      call: deployTokenCall(signer.deskAddress, key.offeringId, terms),
      dependsOn: deskOp?.dependsOn === factoryOpId ? deskOp.id : factoryOpId,
    })
    const address = tokenAddressOf(signer.deskAddress, key.offeringId)
    await setTokenAddress(tx, key, { address, cap: terms.cap })
  })
}
