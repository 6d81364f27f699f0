import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedRequest } from '../../platform/api/declare/operation.ts'
import { epochSeconds } from '../../platform/base/clock.ts'

/**
 * Whether Stripe has signed these bytes, not long ago, with one of these secrets: `t=<seconds>,v1=<hex>`, HMAC-SHA-256
 * over `t.body`, as Stripe publishes it. While it rotates a secret on its side, it sends a v1 for each.
 */
export function isSignedByStripe(
  { headers, body }: Pick<SignedRequest, 'headers' | 'body'>,
  secrets: readonly string[],
  now: Date,
): boolean {
  const parts = String(headers['stripe-signature'] ?? '').split(',', partsMax)
  const valuesOf = (name: string) =>
    parts.filter((part) => part.trim().startsWith(`${name}=`)).map((part) => part.trim().slice(name.length + 1))
  const [time = ''] = valuesOf('t')
  const isFresh = /^\d{1,12}$/.test(time) && Math.abs(epochSeconds(now) - Number(time)) <= toleranceSeconds
  const signatures = valuesOf('v1').map((hex) => Buffer.from(hex, 'hex'))
  // All are compared, whichever fits, so that the time tells nothing.
  const fits = secrets.flatMap((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
    return signatures.map((given) => given.length === expected.length && timingSafeEqual(given, expected))
  })
  return isFresh && fits.includes(true)
}

const toleranceSeconds = 300
// Stripe sends two or three; who sends a thousand wants to keep us busy.
const partsMax = 10
