import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import type { Vault } from '../../platform/db/vault.ts'
import type { Signer } from './signer.ts'

/** A new key, encrypted with the tenant's data key before anybody sees it. */
export async function sealNewKey(
  vault: Vault,
  chain: string,
): Promise<{ address: Signer['address']; sealedKey: Buffer }> {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  return { address, sealedKey: await vault.seal(key, contextOf(chain, address)) }
}

/** A signer whose key is opened for each signature and forgotten after it. */
export function sealedSigner(vault: Vault, chain: string, address: Signer['address'], sealedKey: Buffer): Signer {
  return {
    address,
    signDigest: async (digest) => {
      const privateKey = (await vault.open(sealedKey, contextOf(chain, address))) as Hex
      const { r, s, yParity } = await sign({ hash: digest, privateKey })
      return { r, s, yParity: yParity === 1 ? 1 : 0 }
    },
  }
}

/** What a sealed key is bound to: it opens for this chain and address and nowhere else. */
function contextOf(chain: string, address: string): string {
  return `chain signer ${chain} ${address}`
}
