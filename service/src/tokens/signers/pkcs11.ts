import { randomUUID } from 'node:crypto'
import { type Address, bytesToHex, type Hash, hexToBytes } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { type KeyBackend, type KeyBackendDeclaration, KeyBackendUnavailable } from './key-backend.ts'
import { normalizeSignature } from './normalize-signature.ts'
import { Pkcs11Module, type Pkcs11Session } from './pkcs11-module.ts'

/** Keys in an HSM with a PKCS#11 module. They never leave it: a digest goes in, a signature comes out. */
export const pkcs11Declaration: KeyBackendDeclaration = {
  name: 'pkcs11',
  settings: 'PKCS11_MODULE and PKCS11_PIN',
  open: ({ pkcs11Module: path, pkcs11Pin: pin }) => {
    if (path === undefined) return undefined
    if (pin === undefined) throw new Error('PKCS11_MODULE is set without PKCS11_PIN')
    return pkcs11Backend(new Pkcs11Module({ path, pin }))
  },
}

export function pkcs11Backend(module: Pkcs11Module): KeyBackend {
  return {
    createKey: async ({ tenantId, chain }) => {
      // A new label each time: an existing key, found again after a database restore for example, has sent transactions
      // already, and the nonces of a new row start at zero.
      const label = `investor-token ${chain} ${tenantId} ${randomUUID().slice(0, 8)}`
      return { address: await ensureKey(module, label), keyData: Buffer.from(label) }
    },
    signDigest: async ({ address, keyData }, digest) => {
      const bytes = await module.use((session) => signWith(session, keyData.toString(), digest))
      const signature = await normalizeSignature(bytes, digest, address)
      if (signature) return signature
      throw new KeyBackendUnavailable(
        `The HSM token has a different key under the label of ${address}: restore the original key.`,
      )
    },
    close: () => module.close(),
  }
}

/** Returns the address of the key with this label. Creates the key only if it does not exist: the module may retry. */
function ensureKey(module: Pkcs11Module, label: string): Promise<Address> {
  return module.use(async (session) => {
    const existing = findKey(session, session.pkcs11.CKO_PUBLIC_KEY, label)
    return addressOf(session, existing ?? (await generateKey(session, label)))
  })
}

// The object identifier of secp256k1 in DER, which is how PKCS#11 names a curve.
const curve = Buffer.from('06052b8104000a', 'hex')

async function generateKey({ pkcs11, library, handle }: Pkcs11Session, label: string): Promise<Buffer> {
  const named = [
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: label },
    { type: pkcs11.CKA_ID, value: Buffer.from(label) },
  ]
  const { publicKey } = await library.C_GenerateKeyPairAsync(
    handle,
    { mechanism: pkcs11.CKM_EC_KEY_PAIR_GEN },
    [...named, { type: pkcs11.CKA_EC_PARAMS, value: curve }, { type: pkcs11.CKA_VERIFY, value: true }],
    [
      ...named,
      { type: pkcs11.CKA_PRIVATE, value: true },
      // Nobody can read or wrap the key, even with the PIN. Neither attribute can be changed later.
      { type: pkcs11.CKA_SENSITIVE, value: true },
      { type: pkcs11.CKA_EXTRACTABLE, value: false },
      { type: pkcs11.CKA_SIGN, value: true },
    ],
  )
  return publicKey
}

function findKey({ pkcs11, library, handle }: Pkcs11Session, objectClass: number, label: string): Buffer | undefined {
  library.C_FindObjectsInit(handle, [
    { type: pkcs11.CKA_CLASS, value: objectClass },
    { type: pkcs11.CKA_LABEL, value: label },
  ])
  try {
    const [key, ...others] = library.C_FindObjects(handle, 2)
    if (others.length > 0)
      throw new KeyBackendUnavailable(
        `The HSM token has more than one key with the label ${label}: remove the wrong one.`,
      )
    return key
  } finally {
    library.C_FindObjectsFinal(handle)
  }
}

/** Reads the uncompressed point of 65 bytes. Most modules wrap it in an octet string, some do not. */
function addressOf({ pkcs11, library, handle }: Pkcs11Session, publicKey: Buffer): Address {
  const [point] = library.C_GetAttributeValue(handle, publicKey, [{ type: pkcs11.CKA_EC_POINT }])
  if (!point || !Buffer.isBuffer(point.value)) throw new Error('the module returned a public key without a point')
  return publicKeyToAddress(bytesToHex(point.value.subarray(-65)))
}

function signWith(session: Pkcs11Session, label: string, digest: Hash): Promise<Buffer> {
  const { pkcs11, library, handle } = session
  const key = findKey(session, pkcs11.CKO_PRIVATE_KEY, label)
  if (!key)
    throw new KeyBackendUnavailable(
      `The HSM token has no key with the label ${label}: check that PKCS11_MODULE names the right token.`,
    )
  library.C_SignInit(handle, { mechanism: pkcs11.CKM_ECDSA }, key)
  return library.C_SignAsync(handle, Buffer.from(hexToBytes(digest)), Buffer.alloc(64))
}
