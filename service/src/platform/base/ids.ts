import { randomUUID, randomUUIDv7 } from 'node:crypto'

/**
 * The only id format that we accept: 8-4-4-4-12 hex digits in either case, any UUID version. Ajv's own `uuid` format
 * also accepts `urn:uuid:…`, and PostgreSQL also accepts braces; a value that only one of them rejects would cause a
 * 500.
 */
const uuid = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** Returns a random id that reveals nothing: for credentials, tokens, users and other callers. */
export function newId(): string {
  return randomUUID()
}

/** Returns an id that sorts by time, for rows, so that inserts append to the end of a large index. */
export function newRowId(): string {
  return randomUUIDv7()
}

/** Returns the smallest id that newRowId() can return at this time. */
export function rowIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`
}

/** Returns the id that the 16 bytes from `start` on form. */
export function idOfBytes(bytes: Buffer, start = 0): string {
  const hex = bytes.toString('hex', start, start + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}
