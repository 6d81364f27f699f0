import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../../platform/base/key-ring.ts'

/**
 * Purpose of a challenge. The signature covers it, so that a response for one purpose, session or invitation cannot be
 * used for another.
 */
export type ChallengePurpose =
  | { readonly for: 'sign-in' }
  | { readonly for: 'step-up' | 'registration'; readonly sessionId: string }
  | { readonly for: 'invitation'; readonly invitationId: string }

/** Long enough to find a security key, short enough that used challenges need not be remembered for long. */
const validMs = 5 * 60_000
const randomLength = 16
const headLength = randomLength + 8
const challengeLength = headLength + 32

/**
 * Creates a challenge: random bytes, the expiry, and an HMAC over both. It carries its own proof, so anyone may request
 * one without adding a row.
 */
export function newPasskeyChallenge(peppers: KeyRing, purpose: ChallengePurpose, now: Date): Uint8Array<ArrayBuffer> {
  const expiry = Buffer.alloc(8)
  expiry.writeBigInt64BE(BigInt(now.getTime() + validMs))
  const head = Buffer.concat([randomBytes(randomLength), expiry])
  return new Uint8Array(Buffer.concat([head, macOf(peppers.current.hmacKey, purpose, head)]))
}

/** Returns the bytes and the expiry of a challenge of this purpose, or undefined if it is not one or has expired. */
export function readChallenge(
  peppers: KeyRing,
  purpose: ChallengePurpose,
  challenge: string,
  now: Date,
): { bytes: Buffer; expiresAt: Date } | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== challengeLength) return undefined
  const head = bytes.subarray(0, headLength)
  const mac = bytes.subarray(headLength)
  const isOurs = peppers.keys.some(({ hmacKey }) => timingSafeEqual(macOf(hmacKey, purpose, head), mac))
  const expiresAt = new Date(Number(head.readBigInt64BE(randomLength)))
  return isOurs && expiresAt > now ? { bytes, expiresAt } : undefined
}

function macOf(key: KeyObject, purpose: ChallengePurpose, head: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(['passkey challenge', purpose]))
    .update(head)
    .digest()
}
