import { randomBytes } from 'node:crypto'
import { newId } from '../../platform/base/ids.ts'

const prefix = 'itp_'
const idBytes = 16
const secretBytes = 32

/**
 * Creates a personal access token: a prefix, then the token id (the lookup key) and 256 random bits in base64url. The
 * prefix lets secret scanners find a leaked token.
 */
export function newPersonalToken(): { tokenId: string; token: string } {
  const tokenId = newId()
  const bytes = Buffer.concat([Buffer.from(tokenId.replaceAll('-', ''), 'hex'), randomBytes(secretBytes)])
  return { tokenId, token: prefix + bytes.toString('base64url') }
}

/** Reads the id from a token. Returns undefined if the text is not a well-formed personal access token. */
export function tokenIdOf(token: string): string | undefined {
  const bytes = token.startsWith(prefix) ? Buffer.from(token.slice(prefix.length), 'base64url') : undefined
  // Encodes the bytes again to compare, because Node skips invalid base64url characters when decoding.
  if (bytes?.length !== idBytes + secretBytes || prefix + bytes.toString('base64url') !== token) return undefined
  const hex = bytes.subarray(0, idBytes).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
