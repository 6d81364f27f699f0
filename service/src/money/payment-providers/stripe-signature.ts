import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedRequest } from '../../platform/api/declare/signed-request.ts'
import { epochSeconds } from '../../platform/base/clock.ts'

/**
 * Returns true if one of the secrets signed the body by Stripe's published scheme, within five minutes of now: the
 * header `t=<seconds>,v1=<hex>` contains the HMAC-SHA-256 of `t.body`. While Stripe rotates a secret, it sends a v1 for
 * each.
 */
export function hasStripeSignature(
  { headers, body }: Pick<SignedRequest, 'headers' | 'body'>,
  secrets: readonly string[],
  now: Date,
): boolean {
  const parts = String(headers['stripe-signature'] ?? '').split(',', partsMax)
  const valuesOf = (name: string) =>
    parts.filter((part) => part.trim().startsWith(`${name}=`)).map((part) => part.trim().slice(name.length + 1))
  const [timestamp = ''] = valuesOf('t')
  const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(epochSeconds(now) - Number(timestamp)) <= toleranceSeconds
  const signatures = valuesOf('v1').map((hex) => Buffer.from(hex, 'hex'))
  // Compares all pairs even after a match, so that the response time does not reveal which one matched.
  const matches = secrets.flatMap((secret) => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
    return signatures.map((given) => given.length === expected.length && timingSafeEqual(given, expected))
  })
  return isRecent && matches.includes(true)
}

const toleranceSeconds = 300
// Stripe sends two or three. The limit stops a sender from making us compute thousands of comparisons.
const partsMax = 10
