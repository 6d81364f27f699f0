import { randomBytes } from 'node:crypto'
import { bytesOfId, idOfBytes, newId } from '../../platform/base/ids.ts'

/** Prefixes of tokens, session cookies, one-time links and device codes, by which secret scanners find leaked ones. */
const prefixes = { token: 'itp_', session: 'itc_', invitation: 'iti_', device: 'itd_' } as const
export type SecretKind = keyof typeof prefixes

const idBytes = 16
const secretBytes = 32

/** Creates a secret: a prefix, then its id (the lookup key) and 256 random bits in base64url. */
export function newOperatorSecret(kind: SecretKind, id = newId()): { id: string; secret: string } {
  const bytes = Buffer.concat([bytesOfId(id), randomBytes(secretBytes)])
  return { id, secret: prefixes[kind] + bytes.toString('base64url') }
}

/** Reads the id from a secret. Returns undefined if the text is not a well-formed secret of this kind. */
export function secretIdOf(kind: SecretKind, secret: string): string | undefined {
  const prefix = prefixes[kind]
  const bytes = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64url') : undefined
  // Encodes the bytes again to compare, because Node skips invalid base64url characters when decoding.
  if (bytes?.length !== idBytes + secretBytes || prefix + bytes.toString('base64url') !== secret) return undefined
  return idOfBytes(bytes)
}
