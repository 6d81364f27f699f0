import { randomBytes } from 'node:crypto'

/** 256 random bits, as Standard Webhooks writes them. The prefix lets secret scanners find a leaked one. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Binds the encrypted secret to its endpoint: copied to another row it does not decrypt. */
export function secretContext(endpointId: string): string {
  return `webhook_endpoint ${endpointId} secret`
}

/** After a rotation, messages carry the signature of the previous secret too, for at most this long. */
export const secretOverlapHoursMax = 24
