import { validationFailed } from '../errors/errors.ts'

/** The last row of a page. */
export interface CursorPosition {
  /** The row's sort key as PostgreSQL prints it; null if the list is sorted by id. */
  readonly key: string | null
  readonly id: string
}

interface ListOrder {
  readonly sort: string
  readonly direction: 'asc' | 'desc'
}

/** A cursor names the sort order that it belongs to: in another order it would silently skip or repeat rows. */
export function encodeCursor({ sort, direction }: ListOrder, { key, id }: CursorPosition): string {
  return Buffer.from(JSON.stringify([sort, direction, key, id])).toString('base64url')
}

export function decodeCursor({ sort, direction }: ListOrder, cursor: string): CursorPosition {
  const [itsSort, itsDirection, key, id] = parsedArray(Buffer.from(cursor, 'base64url').toString())
  const isWhole = (typeof key === 'string' || key === null) && typeof id === 'string'
  if (itsSort === sort && itsDirection === direction && isWhole) return { key, id }
  throw validationFailed([
    {
      parameter: 'cursor',
      detail: 'The query parameter cursor must come from `next` of a page with the same sort and direction.',
    },
  ])
}

function parsedArray(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
