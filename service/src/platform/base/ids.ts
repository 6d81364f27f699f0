import { randomUUID, randomUUIDv7 } from 'node:crypto'

/**
 * The one form of an id that we accept: 8-4-4-4-12 hex in either case, any version. Ajv's own `uuid` format also takes
 * `urn:uuid:…`, and PostgreSQL takes braces; a value that one of them refuses would surface as a 500.
 */
export const uuidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

const uuid = new RegExp(uuidPattern)

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** An id that says nothing: for who may call. */
export function newId(): string {
  return randomUUID()
}

/** An id that sorts by time, so that an index of millions grows at its end: for rows. */
export function newRowId(): string {
  return randomUUIDv7()
}
