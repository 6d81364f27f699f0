import { randomBytes } from 'node:crypto'
import { newId } from '../../platform/base/ids.ts'

const prefix = 'itp_'
const idBytes = 16
const secretBytes = 32

/**
 * A new personal access token: its id, by which it is found, and 256 random bits, in one word. The prefix lets secret
 * scanners find a leaked one.
 */
export function newPersonalToken(): { tokenId: string; token: string } {
  const tokenId = newId()
  const bytes = Buffer.concat([Buffer.from(tokenId.replaceAll('-', ''), 'hex'), randomBytes(secretBytes)])
  return { tokenId, token: prefix + bytes.toString('base64url') }
}

/** The id in a token; undefined for what is no token of ours. */
export function tokenIdOf(token: string): string | undefined {
  const bytes = token.startsWith(prefix) ? Buffer.from(token.slice(prefix.length), 'base64url') : undefined
  // Written again, since Node passes over characters that do not belong there.
  if (bytes?.length !== idBytes + secretBytes || prefix + bytes.toString('base64url') !== token) return undefined
  const hex = bytes.subarray(0, idBytes).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
