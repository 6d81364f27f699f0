import { randomBytes } from 'node:crypto'

/**
 * Generates a Standard Webhooks secret: 256 random bits after the prefix that its libraries expect, and by which secret
 * scanners find a leaked one.
 */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Time for which the old secret stays valid, so that a provider can switch without losing notifications. */
export const secretOverlapMs = 24 * 3_600_000
