/**
 * Secret keys by id. The first one signs, all of them verify, so a key is replaced without a moment in which
 * something valid is refused: add the new key in front, wait until nothing old is in use, drop the old one.
 */
export interface KeyRing {
  readonly current: RingKey
  find(id: string): RingKey | undefined
}

export interface RingKey {
  readonly id: string
  readonly secret: Buffer
}

const keyBytesMin = 32

/** Reads `id:base64url,id:base64url`. Throws a sentence without the secret in it. */
export function parseKeyRing(text: string): KeyRing {
  const keys = text.split(',').map((entry) => parseKey(entry.trim()))
  const [current] = keys
  if (!current) throw new Error('it holds no key')
  const byId = new Map(keys.map((key) => [key.id, key]))
  if (byId.size !== keys.length) throw new Error('two of its keys have the same id')
  return { current, find: (id) => byId.get(id) }
}

/** One entry for a key ring, as the setting wants it written. */
export function formatKey(key: RingKey): string {
  return `${key.id}:${key.secret.toString('base64url')}`
}

function parseKey(entry: string): RingKey {
  const [, id, encoded] = /^([A-Za-z0-9._-]{1,32}):([A-Za-z0-9_-]+)$/.exec(entry) ?? []
  if (!id || !encoded) throw new Error('each key is written id:secret, with the secret in base64url')
  const secret = Buffer.from(encoded, 'base64url')
  if (secret.length < keyBytesMin)
    throw new Error(`the key with id ${id} has ${secret.length} bytes and needs at least ${keyBytesMin}`)
  return { id, secret }
}
