import { deployTokenCall, tokenAddressOf } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import { inTenantWrite, type Settlement } from '../chain-ops/settlement.ts'
import { findSigner } from '../signers/signer.sql.ts'
import { findDeskOp, lockTokenlessOffering, type MintableOffering, setTokenAddress } from './mint-orders.sql.ts'

/**
 * Asks for the token of an open offering. Its address follows from the desk and the offering and is written down first,
 * so the indexer listens before there is anything to hear. Nothing happens where the tenant has no signer there.
 */
export function planToken(settlement: Settlement, key: MintableOffering): Promise<void> {
  return inTenantWrite(settlement, key.tenantId, async (tx) => {
    const offering = await lockTokenlessOffering(tx, key)
    const signer = offering && (await findSigner(tx, { ...key, chain: offering.chain }))
    if (!offering || !signer) return
    const { chain, name, symbol, decimals } = offering
    const deskOp = await findDeskOp(tx, { ...key, chain })
    await enqueueChainOp(tx, {
      ...key,
      chain,
      kind: 'DEPLOY_TOKEN',
      dedupeKey: `token:${key.offeringId}`,
      call: deployTokenCall(signer.deskAddress, key.offeringId, { name, symbol, decimals, admin: signer.address }),
      dependsOn: deskOp?.id ?? null,
    })
    await setTokenAddress(tx, key, tokenAddressOf(signer.deskAddress, key.offeringId))
  })
}
