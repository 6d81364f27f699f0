import { createHash } from 'node:crypto'
import { formatKey } from '../../../src/platform/base/key-ring.ts'

/** Returns a key that looks random and is the same in every run. */
export function testKey(id: string, purpose: string): string {
  return formatKey({ id, secret: createHash('sha256').update(purpose).digest() })
}

/** Keys for tests, so that they do not depend on the generated keys of the checkout. */
export const testKeys = {
  TOKEN_SIGNING_KEYS: testKey('test', 'signs access tokens'),
  SECRET_PEPPERS: testKey('test', 'hashes client secrets'),
  DATA_MASTER_KEYS: testKey('test', 'wraps data keys'),
}
