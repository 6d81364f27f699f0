import type { Config } from '../../platform/base/config.ts'
import {
  type KeyBackend,
  type KeyBackendContext,
  type KeyBackendDeclaration,
  KeyBackendUnavailable,
  type SignerKey,
  type StoredKey,
} from './key-backend.ts'
import { pkcs11Declaration } from './pkcs11.ts'
import { sealedDeclaration } from './sealed.ts'
import type { Signer } from './signer.ts'

/**
 * The signing keys of all tenants. Each key is in one key backend:
 *
 *     Signers                     finds the backend of a key
 *     └── KeyBackend              key-backend.ts: creates keys and signs 32-byte digests
 *         ├── pkcs11              pkcs11.ts: the key is created in an HSM and never leaves it
 *         │   └── Pkcs11Module    pkcs11-module.ts: the session with the HSM
 *         └── sealed              sealed.ts: the key is in the database, encrypted with the tenant's data key
 *
 * To add a backend, AWS KMS for example: write aws-kms.ts beside these, add its setting to platform/base/config.ts, and
 * add it to this list. The database stores the names of backends and opaque data.
 *
 * New keys are created in the first backend of the list that is configured; existing keys stay where they are.
 */
const declarations: readonly KeyBackendDeclaration[] = [pkcs11Declaration, sealedDeclaration]

export class Signers {
  readonly #backends: ReadonlyMap<string, KeyBackend>

  constructor(backends: ReadonlyMap<string, KeyBackend>) {
    this.#backends = backends
  }

  /** Opens all configured backends. */
  static open(config: Config, context: KeyBackendContext): Signers {
    const opened = declarations.map(({ name, open }) => [name, open(config, context)] as const)
    return new Signers(new Map(opened.flatMap(([name, backend]) => (backend ? [[name, backend] as const] : []))))
  }

  /** Creates a key for this tenant and chain. The caller stores it. */
  async createKey(owner: SignerKey): Promise<StoredKey> {
    const [first] = this.#backends
    if (!first) throw new Error('no key backend is configured')
    const [keyBackend, backend] = first
    return { ...owner, keyBackend, ...(await backend.createKey(owner)) }
  }

  signerOf(key: StoredKey): Signer {
    const { address, keyBackend } = key
    const backend = this.#backends.get(keyBackend)
    if (!backend) {
      const settings = declarations.find(({ name }) => name === keyBackend)?.settings ?? 'its settings'
      throw new KeyBackendUnavailable(
        `The key of ${address} is in the key backend ${keyBackend}, which is not configured: set ${settings}.`,
      )
    }
    return { address, signDigest: (digest) => backend.signDigest(key, digest) }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#backends.values()].map((backend) => backend.close()))
  }
}
