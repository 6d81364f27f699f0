import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { KeyBackend, KeyBackendContext, KeyBackendDeclaration } from './key-backend.ts'

/** Private keys in the database, encrypted with the tenant's data key. Always configured. */
export const sealedDeclaration: KeyBackendDeclaration = {
  name: 'sealed',
  settings: 'DATA_MASTER_KEYS',
  open: (_, context) => sealedBackend(context),
}

/** Encrypts a new key before it leaves the function, decrypts it for each signature and does not keep the plain key. */
function sealedBackend(context: KeyBackendContext): KeyBackend {
  const { vaults } = context
  return {
    createKey: async ({ tenantId, chain }) => {
      const key = generatePrivateKey()
      const { address } = privateKeyToAccount(key)
      const keyData = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) =>
        vaults.of(tx, tenantId).seal(key, signerKeyContext(chain, address)),
      )
      return { address, keyData }
    },
    signDigest: async ({ tenantId, chain, address, keyData }, digest) => {
      const privateKey = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) =>
        vaults.of(tx, tenantId).open(keyData, signerKeyContext(chain, address)),
      )
      const { r, s, yParity } = await sign({ hash: digest, privateKey: privateKey as Hex })
      return { r, s, yParity: yParity === 1 ? 1 : 0 }
    },
    close: async () => {},
  }
}

/** Binds the ciphertext to the chain and address, besides the tenant: it decrypts for no other row. */
export function signerKeyContext(chain: string, address: string): string {
  return `chain signer ${chain} ${address}`
}
