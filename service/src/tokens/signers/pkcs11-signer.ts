import { type Address, bytesToHex, type Hash, hexToBytes, numberToHex, recoverAddress } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { type ModuleSession, ModuleUnavailable, type Pkcs11Module } from './pkcs11-module.ts'
import type { Signature, Signer } from './signer.ts'

/** A signer whose key never leaves its module: 32 bytes go in, a signature comes out. */
export function pkcs11Signer(module: Pkcs11Module, keyLabel: string, address: Address): Signer {
  return {
    address,
    signDigest: async (digest) => {
      const bytes = await module.use((session) => signWith(session, keyLabel, digest))
      return signatureOf(bytes, digest, address)
    },
  }
}

/** The address of the key with this label, which is made where there is none: so it may be asked for twice. */
export function ensureModuleKey(module: Pkcs11Module, keyLabel: string): Promise<Address> {
  return module.use(async (session) => {
    const known = find(session, session.pkcs11.CKO_PUBLIC_KEY, keyLabel)
    return addressOf(session, known ?? (await generate(session, keyLabel)))
  })
}

// secp256k1 as an object identifier in DER, the way that PKCS#11 names a curve.
const curve = Buffer.from('06052b8104000a', 'hex')
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

async function generate({ pkcs11, library, handle }: ModuleSession, keyLabel: string): Promise<Buffer> {
  const named = [
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: keyLabel },
    { type: pkcs11.CKA_ID, value: Buffer.from(keyLabel) },
  ]
  const { publicKey } = await library.C_GenerateKeyPairAsync(
    handle,
    { mechanism: pkcs11.CKM_EC_KEY_PAIR_GEN },
    [...named, { type: pkcs11.CKA_EC_PARAMS, value: curve }, { type: pkcs11.CKA_VERIFY, value: true }],
    [
      ...named,
      { type: pkcs11.CKA_PRIVATE, value: true },
      // Not readable and not to be wrapped, not even by who has the PIN; neither can be taken back later.
      { type: pkcs11.CKA_SENSITIVE, value: true },
      { type: pkcs11.CKA_EXTRACTABLE, value: false },
      { type: pkcs11.CKA_SIGN, value: true },
    ],
  )
  return publicKey
}

function find({ pkcs11, library, handle }: ModuleSession, kind: number, keyLabel: string): Buffer | undefined {
  library.C_FindObjectsInit(handle, [
    { type: pkcs11.CKA_CLASS, value: kind },
    { type: pkcs11.CKA_LABEL, value: keyLabel },
  ])
  try {
    const [key, ...others] = library.C_FindObjects(handle, 2)
    if (others.length > 0)
      throw new ModuleUnavailable(`The token has more than one key with the label ${keyLabel}: remove the wrong one.`)
    return key
  } finally {
    library.C_FindObjectsFinal(handle)
  }
}

/** The point without compression is 65 bytes, which most modules wrap into an octet string and some do not. */
function addressOf({ pkcs11, library, handle }: ModuleSession, publicKey: Buffer): Address {
  const [point] = library.C_GetAttributeValue(handle, publicKey, [{ type: pkcs11.CKA_EC_POINT }])
  if (!point || !Buffer.isBuffer(point.value)) throw new Error('a public key without a point')
  return publicKeyToAddress(bytesToHex(point.value.subarray(-65)))
}

function signWith(session: ModuleSession, keyLabel: string, digest: Hash): Promise<Buffer> {
  const { pkcs11, library, handle } = session
  const key = find(session, pkcs11.CKO_PRIVATE_KEY, keyLabel)
  if (!key)
    throw new ModuleUnavailable(`The token has no key with the label ${keyLabel}: PKCS11_MODULE is of another token.`)
  library.C_SignInit(handle, { mechanism: pkcs11.CKM_ECDSA }, key)
  return library.C_SignAsync(handle, Buffer.from(hexToBytes(digest)), Buffer.alloc(64))
}

/**
 * What a chain wants of r and s: the lower of the two values that s may have (EIP-2), and which of two points r stands
 * for. A module tells neither, so whose signature it is gets compared; that also finds a label that has a foreign key.
 */
async function signatureOf(bytes: Buffer, digest: Hash, address: Address): Promise<Signature> {
  if (bytes.length !== 64) throw new Error('a signature of secp256k1 has 64 bytes')
  const r = bytesToHex(bytes.subarray(0, 32))
  const high = BigInt(bytesToHex(bytes.subarray(32)))
  const s = numberToHex(high > curveOrder / 2n ? curveOrder - high : high, { size: 32 })
  for (const yParity of [0, 1] as const)
    if ((await recoverAddress({ hash: digest, signature: { r, s, yParity } })) === address) return { r, s, yParity }
  throw new ModuleUnavailable(`The token has another key than the one of ${address} under its label.`)
}
