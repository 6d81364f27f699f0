import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedRequest } from '../../platform/api/declare/signed-request.ts'

/**
 * Returns true if one of the secrets signed the body by Sumsub's published scheme: `x-payload-digest` is the HMAC of
 * the raw body in hex, `x-payload-digest-alg` its algorithm. Sumsub signs no time, so an old request stays valid; the
 * reference of its result makes it count once. Rejects SHA-1, which Sumsub keeps for old webhooks.
 */
export function hasSumsubSignature(
  { headers, body }: Pick<SignedRequest, 'headers' | 'body'>,
  secrets: readonly string[],
): boolean {
  const algorithm = algorithms.get(String(headers['x-payload-digest-alg'] ?? ''))
  if (!algorithm) return false
  const given = Buffer.from(String(headers['x-payload-digest'] ?? '').slice(0, digestCharactersMax), 'hex')
  // Compares all secrets even after a match, so that the response time does not reveal which one matched.
  const matches = secrets.map((secret) => {
    const expected = createHmac(algorithm, secret).update(body).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return matches.includes(true)
}

const algorithms: ReadonlyMap<string, 'sha256' | 'sha512'> = new Map([
  ['HMAC_SHA256_HEX', 'sha256'],
  ['HMAC_SHA512_HEX', 'sha512'],
])

// Longer than SHA-512 in hex, so that a longer digest does not match by being cut.
const digestCharactersMax = 130
