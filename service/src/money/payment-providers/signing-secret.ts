import { randomBytes } from 'node:crypto'

/** A new secret for Standard Webhooks: 256 random bits behind the prefix that its libraries know. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** What a sealed secret is bound to: it opens for this provider and for no other. */
export function sealedSecret(providerId: string): string {
  return `payment provider ${providerId} secret`
}

/** How long the secret before the newest one goes on counting, so that a provider changes over without a gap. */
export const secretOverlapMs = 24 * 3_600_000
