import type { Address, Hash } from 'viem'
import type { Config } from '../../platform/base/config.ts'
import { LoggableError } from '../../platform/base/log.ts'
import type { TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Vaults } from '../../platform/postgres/vault.ts'
import type { Signature } from './signer.ts'

/** Tenant and chain of a signer. Each pair has one key. */
export interface SignerKey {
  readonly tenantId: string
  readonly chain: string
}

/** A key as chain_signer stores it. */
export interface StoredKey extends SignerKey {
  readonly address: Address
  /** The name of the backend that created the key. */
  readonly keyBackend: string
  /** Opaque to everything but the backend: an encrypted private key, for example, or the label of a key in an HSM. */
  readonly keyData: Buffer
}

/** Creates secp256k1 keys and signs with them. Called outside of transactions, since a backend may be remote. */
export interface KeyBackend {
  /** Creates a key that no backend has returned before. It is unused if the caller then fails to store it. */
  createKey(owner: SignerKey): Promise<Pick<StoredKey, 'address' | 'keyData'>>
  /** Must return the low value of s (EIP-2) and the recovery parity. */
  signDigest(key: StoredKey, digest: Hash): Promise<Signature>
  close(): Promise<void>
}

/** Context that a backend can use besides its own settings. */
export interface KeyBackendContext extends TenantDatabases {
  readonly vaults: Vaults
}

/** One entry of the list in signers.ts. */
export interface KeyBackendDeclaration {
  /** Stored with every key: never change it once a key exists. */
  readonly name: string
  /** The settings that enable the backend, for error messages. */
  readonly settings: string
  /** Opens the backend; undefined if the settings do not enable it. */
  readonly open: (config: Config, context: KeyBackendContext) => KeyBackend | undefined
}

/** The backend cannot be used; the message says how an operator can fix it. */
export class KeyBackendUnavailable extends LoggableError {
  override readonly name = 'KeyBackendUnavailable'
}
