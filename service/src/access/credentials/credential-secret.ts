import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../../platform/base/key-ring.ts'

/** The stored form of a secret. */
export interface HashedSecret {
  pepperId: string
  mac: Buffer
}

/**
 * Creates a secret of 256 random bits. It cannot be guessed, so a fast HMAC is enough; a slow password hash would only
 * let an attacker exhaust our CPUs. The prefix lets secret scanners find a leaked secret.
 */
export function newSecret(): string {
  return `its_${randomBytes(32).toString('base64url')}`
}

/** Hashes with a pepper that is not in the database, so a stolen database alone cannot confirm a guess. */
export function hashSecret(peppers: KeyRing, secret: string): HashedSecret {
  return { pepperId: peppers.current.id, mac: macOf(peppers.current.hmacKey, secret) }
}

/**
 * Returns true if the secret matches one of the hashes. Takes the same time for every result and number of hashes,
 * including zero, so a caller cannot distinguish an unknown credential from a wrong secret.
 */
export function matchesAnySecret(peppers: KeyRing, secret: string, hashes: readonly HashedSecret[]): boolean {
  let isMatch = false
  for (let slot = 0; slot < secretsMax; slot += 1) isMatch = matchesSecret(peppers, secret, hashes[slot]) || isMatch
  return isMatch
}

/** Compares with one hash, found by the id in the secret. Undefined takes the same time and never matches. */
export function matchesSecret(peppers: KeyRing, secret: string, hash: HashedSecret | undefined): boolean {
  const { pepperId, mac } = hash ?? noSecret
  const pepper = peppers.find(pepperId) ?? peppers.current
  return timingSafeEqual(macOf(pepper.hmacKey, secret), mac)
}

const secretsMax = 2
// Random, so the probability that an HMAC equals it is negligible.
const noSecret: HashedSecret = { pepperId: '', mac: randomBytes(32) }

function macOf(pepper: KeyObject, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest()
}
