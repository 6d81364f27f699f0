import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../../platform/base/key-ring.ts'

/** What is stored of a secret. */
export interface SealedSecret {
  pepperId: string
  mac: Buffer
}

/**
 * A new secret: 256 random bits, so there is nothing to guess and a fast HMAC is enough. A slow hash would add nothing
 * but a lever for whoever wants to keep our processors busy. The prefix lets secret scanners find a leaked one.
 */
export function newSecret(): string {
  return `its_${randomBytes(32).toString('base64url')}`
}

/** The pepper is not in the database, so a stolen database alone cannot confirm a guess. */
export function sealSecret(peppers: KeyRing, secret: string): SealedSecret {
  return { pepperId: peppers.current.id, mac: macOf(peppers.current.secret, secret) }
}

/**
 * Whether the secret is one of these. Takes the same time whatever the answer and however many there are, also none, so
 * that an unknown credential cannot be told from a wrong secret.
 */
export function isOneOf(peppers: KeyRing, secret: string, sealed: readonly SealedSecret[]): boolean {
  const slots = Array.from({ length: secretsMax }, (_, slot) => sealed[slot] ?? noSecret)
  let isKnown = false
  for (const { pepperId, mac } of slots) {
    const pepper = peppers.find(pepperId) ?? peppers.current
    isKnown = timingSafeEqual(macOf(pepper.secret, secret), mac) || isKnown
  }
  return isKnown
}

const secretsMax = 2
// No HMAC has this value with a chance worth naming.
const noSecret: SealedSecret = { pepperId: '', mac: randomBytes(32) }

function macOf(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest()
}
