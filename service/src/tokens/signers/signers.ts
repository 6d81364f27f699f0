import type { Address } from 'viem'
import type { Vault } from '../../platform/db/vault.ts'
import { ModuleUnavailable, type Pkcs11Module } from './pkcs11-module.ts'
import { pkcs11Signer } from './pkcs11-signer.ts'
import { sealedSigner } from './sealed-signer.ts'
import type { Signer } from './signer.ts'

/** Where the key of a signer is. */
export interface KeyPlace {
  readonly chain: string
  readonly address: Address
  readonly kind: 'sealed' | 'pkcs11'
  readonly sealedKey: Buffer | null
  readonly keyLabel: string | null
}

/** What signs for a row of cell.chain_signer. It says itself where its key is, so both kinds may stand side by side. */
export function signerOf(row: KeyPlace, vault: Vault, module: Pkcs11Module | undefined): Signer {
  const { chain, address, kind, sealedKey, keyLabel } = row
  if (kind === 'sealed' && sealedKey) return sealedSigner(vault, chain, address, sealedKey)
  if (kind !== 'pkcs11' || keyLabel === null) throw new Error('a signer without a key')
  if (!module) throw new ModuleUnavailable(`The key of ${address} is in a module: set PKCS11_MODULE and PKCS11_PIN.`)
  return pkcs11Signer(module, keyLabel, address)
}
