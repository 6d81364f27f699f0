/** A column of a statement's rows. */
export interface RawColumn {
  readonly name: string
  /** The object identifier of its type in PostgreSQL. */
  readonly type: number
  /** Converts a text of PostgreSQL like the driver. */
  readonly parse: (text: string) => unknown
}

/** Consecutive messages of type DataRow. */
interface RawPart {
  readonly bytes: Buffer
  readonly start: number
  end: number
}

/** One message of type DataRow, from its type byte on. */
export interface RawRow {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/**
 * Rows as PostgreSQL sent them. A list that is written as JSON reads its values from here (`jsonRowsOf`), without a
 * string for each value and an object for each row. `Row` is the type that the rows would have as objects.
 */
export class RawRows<Row> {
  /** Never set. It carries `Row` for the type checker. */
  declare protected readonly row: Row
  readonly columns: readonly RawColumn[]
  readonly parts: RawPart[] = []

  constructor(columns: readonly RawColumn[]) {
    this.columns = columns
  }

  /** Copies nothing: PostgreSQL sends many rows in one packet, which stay where they are. */
  add({ bytes, start, end }: RawRow): void {
    const last = this.parts.at(-1)
    if (last?.bytes === bytes && last.end === start) last.end = end
    else this.parts.push({ bytes, start, end })
  }

  /** Adds a row that the driver has already turned into strings. */
  addTexts(texts: readonly (string | null)[]): void {
    const bytes = rowOfTexts(texts)
    this.add({ bytes, start: 0, end: bytes.length })
  }
}

/** The offset of the first column in a message: after the type, the length and the number of columns. */
export const firstColumnAt = 7

/** The code of the message DataRow: D. */
export const dataRowType = 0x44

export function readInt32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  )
}

/** Returns the values of a row as strings, like the driver. */
export function textsOfRow({ bytes, start }: RawRow): (string | null)[] {
  const count = bytes.readInt16BE(start + 5)
  const texts: (string | null)[] = []
  let at = start + firstColumnAt
  for (let index = 0; index < count; index += 1) {
    const length = readInt32(bytes, at)
    at += 4
    texts.push(length < 0 ? null : bytes.toString('utf8', at, at + length))
    if (length > 0) at += length
  }
  return texts
}

function rowOfTexts(texts: readonly (string | null)[]): Buffer {
  const length = texts.reduce((sum, text) => sum + 4 + (text === null ? 0 : Buffer.byteLength(text)), firstColumnAt)
  const bytes = Buffer.allocUnsafe(length)
  bytes[0] = dataRowType
  bytes.writeInt32BE(length - 1, 1)
  bytes.writeInt16BE(texts.length, 5)
  let at = firstColumnAt
  for (const text of texts) {
    const written = text === null ? -1 : bytes.write(text, at + 4)
    bytes.writeInt32BE(written, at)
    at += 4 + Math.max(0, written)
  }
  return bytes
}
