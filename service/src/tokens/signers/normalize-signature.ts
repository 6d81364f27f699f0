import { type Address, bytesToHex, type Hash, numberToHex, recoverAddress } from 'viem'
import type { Signature } from './signer.ts'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * Converts r and s, as key modules and services return them, to the form that the chain accepts: the low value of s
 * (EIP-2) and the parity. Tries both parities until one recovers the address. Returns undefined if another key signed.
 */
export async function normalizeSignature(
  bytes: Buffer,
  digest: Hash,
  address: Address,
): Promise<Signature | undefined> {
  if (bytes.length !== 64) throw new Error('a secp256k1 signature must have 64 bytes')
  const r = bytesToHex(bytes.subarray(0, 32))
  const high = BigInt(bytesToHex(bytes.subarray(32)))
  const s = numberToHex(high > curveOrder / 2n ? curveOrder - high : high, { size: 32 })
  for (const yParity of [0, 1] as const)
    if ((await recoverAddress({ hash: digest, signature: { r, s, yParity } })) === address) return { r, s, yParity }
  return undefined
}
