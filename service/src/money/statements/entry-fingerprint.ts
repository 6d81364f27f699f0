import { createHash } from 'node:crypto'

type Part = string | number | bigint | boolean | null | undefined

/**
 * Identifies an entry across files. Stored and unique, so a parser must always compute it from the same parts: changing
 * them would import known entries again.
 */
export function fingerprint(parts: readonly Part[]): string {
  const text = JSON.stringify(parts.map((part) => (part === undefined || part === null ? null : String(part))))
  return createHash('sha256').update(text).digest('base64url')
}
