import { randomBytes } from 'node:crypto'

/** Creates 256 random bits in the form of Standard Webhooks. The prefix lets secret scanners find a leaked secret. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Binds the encrypted secret to its endpoint: it does not decrypt when copied to another row. */
export function secretContext(endpointId: string): string {
  return `webhook_endpoint ${endpointId} secret`
}

/** Longest time after a rotation for which messages also carry the signature of the previous secret. */
export const secretOverlapHoursMax = 24
