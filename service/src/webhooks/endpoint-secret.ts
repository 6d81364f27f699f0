import { randomBytes } from 'node:crypto'

/** 256 random bits, as Standard Webhooks writes them. The prefix lets secret scanners find a leaked one. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The vault binds a secret to its endpoint: moved to another row it does not open. */
export function secretContext(endpointId: string): string {
  return `webhook_endpoint ${endpointId} secret`
}

/** How long the old one signs beside the new one. */
export const oldSecretHours = 24
