import { createHash } from 'node:crypto'
import { idOfBytes } from '../../platform/base/ids.ts'

/** Issuer of people who sign in with a passkey instead of at a provider. */
export const passkeyIssuer = 'passkey'

/** A person, as an OpenID provider or a passkey identifies them. */
export interface PersonKey {
  /** The issuer URL of the provider, or `passkey`. */
  readonly issuer: string
  readonly subject: string
}

/**
 * Derives the id of a person from issuer and subject, so that row-level security can expose exactly one person before
 * anything was read.
 */
export function identityIdOf({ issuer, subject }: PersonKey): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest()
  // Version 8 of RFC 9562, for custom UUIDs.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return idOfBytes(bytes)
}

/** Reads the person's id from the user handle of a passkey. Returns an id that nobody has for any other text. */
export function identityIdOfHandle(handle: string | null | undefined): string {
  const bytes = Buffer.from(handle ?? '', 'base64url')
  return bytes.length === 16 ? idOfBytes(bytes) : noIdentityId
}

const noIdentityId = '00000000-0000-0000-0000-000000000000'
