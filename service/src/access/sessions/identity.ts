import { createHash } from 'node:crypto'

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
  const hex = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
  // Version 8 of RFC 9562, for custom UUIDs.
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(18, 20),
    hex.slice(20, 32),
  ].join('-')
}

/** Reads the person's id from the user handle of a passkey. Returns an id that nobody has for any other text. */
export function identityIdOfHandle(handle: string | null | undefined): string {
  const hex = Buffer.from(handle ?? '', 'base64url').toString('hex')
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : noIdentityId
}

const noIdentityId = '00000000-0000-0000-0000-000000000000'
