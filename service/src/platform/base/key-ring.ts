import { createSecretKey, type KeyObject } from 'node:crypto'

/**
 * Secret keys by id. The first key signs and all keys verify, so a key can be replaced without rejecting anything
 * valid: add the new key in front, wait until nothing signed with the old one is in use, then remove the old one.
 */
export interface KeyRing {
  readonly current: RingKey
  readonly keys: readonly (RingKey & { readonly identity: string })[]
  find(id: string): RingKey | undefined
}

export interface RingKey {
  readonly id: string
  readonly secret: Buffer
  /** The same secret for HMACs. Given bytes, Node.js prepares a key on each use, which takes longer than the HMAC. */
  readonly hmacKey: KeyObject
}

const keyBytesMin = 32

/** Parses `id:base64url,id:base64url`. Error messages never contain a secret. */
export function parseKeyRing(text: string): KeyRing {
  const keys = text.split(',').map((entry) => parseKey(entry.trim()))
  const [current] = keys
  if (!current) throw new Error('it contains no key')
  const byId = new Map(keys.map((key) => [key.id, key]))
  if (byId.size !== keys.length) throw new Error('two keys have the same id')
  if (new Set(keys.map(({ identity }) => identity)).size !== keys.length)
    throw new Error('two keys have the same secret; generate another one')
  return { current, keys, find: (id) => byId.get(id) }
}

/** Formats one entry of a key ring as `parseKeyRing` expects it. */
export function formatKey(key: Pick<RingKey, 'id' | 'secret'>): string {
  return `${key.id}:${key.secret.toString('base64url')}`
}

function parseKey(entry: string): KeyRing['keys'][number] {
  const [, id, encoded] = /^([A-Za-z0-9._-]{1,32}):([A-Za-z0-9_-]+)$/.exec(entry) ?? []
  if (!id || !encoded) throw new Error('each key must be written id:secret, with the secret in base64url')
  const secret = Buffer.from(encoded, 'base64url')
  if (secret.length < keyBytesMin)
    throw new Error(`the key with id ${id} has ${secret.length} bytes but needs at least ${keyBytesMin}`)
  if (!looksRandom(secret.subarray(0, keyBytesMin)))
    throw new Error(`the key with id ${id} is not random; docs/configuration.md shows how to generate one`)
  // Encryption uses only these bytes, so two keys that begin alike are one key.
  return { id, secret, hmacKey: createSecretKey(secret), identity: secret.toString('latin1', 0, keyBytesMin) }
}

/**
 * Rejects repeated bytes and typed text, which are easy to guess. Of 32 random bytes, at least 16 are different and
 * some are not printable, except in fewer than one of 10^13 keys.
 */
function looksRandom(bytes: Buffer): boolean {
  return new Set(bytes).size >= 16 && !/^[\x20-\x7e]*$/.test(bytes.toString('latin1'))
}
