import { randomBytes } from 'node:crypto'
import { newId } from '../../platform/base/ids.ts'

/** Prefixes of personal access tokens, session cookies and one-time links. Secret scanners find leaked ones by them. */
const prefixes = { token: 'itp_', session: 'itc_', invitation: 'iti_' } as const
export type SecretKind = keyof typeof prefixes

const idBytes = 16
const secretBytes = 32

/** Creates a secret: a prefix, then its id (the lookup key) and 256 random bits in base64url. */
export function newOperatorSecret(kind: SecretKind): { id: string; secret: string } {
  const id = newId()
  const bytes = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), randomBytes(secretBytes)])
  return { id, secret: prefixes[kind] + bytes.toString('base64url') }
}

/** Reads the id from a secret. Returns undefined if the text is not a well-formed secret of this kind. */
export function secretIdOf(kind: SecretKind, secret: string): string | undefined {
  const prefix = prefixes[kind]
  const bytes = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64url') : undefined
  // Encodes the bytes again to compare, because Node skips invalid base64url characters when decoding.
  if (bytes?.length !== idBytes + secretBytes || prefix + bytes.toString('base64url') !== secret) return undefined
  const hex = bytes.subarray(0, idBytes).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
