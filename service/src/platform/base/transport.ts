import type { Versions } from './versions.ts'

// No valid body is larger than about 17 KB, even with every character escaped.
export const bodyBytesMax = 64 * 1024
export const headerBytesMax = 16 * 1024
// Far more than any media type needs. Fastify parses the parameters, and the more there are, the longer that takes.
export const mediaTypeLengthMax = 1_000
// Longer than the longest value of a parameter, so that cutting a query cannot make it valid.
export const queryLengthMax = 4_096
// A body of 64 KiB arrives in about 50 parts. Each costs about as much as a small request.
export const bodyPartsMax = 512

/** Headers of every response, including those written below the router. */
export function standardHeaders(requestId: string, versions: Versions): Record<string, string> {
  return {
    'x-request-id': requestId,
    // Responses contain personal data and tokens: no cache may store them and no browser may sniff their type.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // A response is never a page, except /docs, which has its own policy.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    ...versions.headersOf(undefined),
  }
}
