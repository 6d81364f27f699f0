import type { Versions } from './versions.ts'

// No legal body is larger than about 17 KB, even with every character escaped.
export const bodyBytesMax = 64 * 1024
export const headerBytesMax = 16 * 1024

/** What every response carries, also one that is written below the router. */
export function standardHeaders(requestId: string, versions: Versions): Record<string, string> {
  return {
    'x-request-id': requestId,
    // Answers hold personal data and tokens: no cache keeps them, no browser guesses at them.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    ...versions.headersOf(undefined),
  }
}
