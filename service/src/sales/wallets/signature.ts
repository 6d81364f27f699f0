import type { Address, Hex } from 'viem'
import { verifyMessage } from 'viem/utils'

/** Returns true if the private key of the address signed the message (EIP-191). Calls no chain. */
export async function isSignedByKey(address: Address, message: string, signature: Hex): Promise<boolean> {
  try {
    return await verifyMessage({ address, message, signature })
  } catch {
    // viem throws for bytes that are not a point on the curve. The caller sent them, so this is not a server error.
    return false
  }
}

const undeployedSuffix = '6492'.repeat(16)

/**
 * Returns true if the signature says how to deploy its wallet first (ERC-6492). We never run such code: nobody knows
 * yet whether the wallet will exist.
 */
export function isUndeployedSignature(signature: string): boolean {
  return signature.endsWith(undeployedSuffix)
}
