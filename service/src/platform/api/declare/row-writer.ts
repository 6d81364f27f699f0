import { firstColumnAt, type RawRows, readInt32 } from '../../postgres/wire/raw-rows.ts'

/** JSON form of a PostgreSQL value. */
export type JsonKind = 'text' | 'number' | 'integer' | 'boolean' | 'timestamp'

export interface LayoutMember {
  /** Position in the response, for messages. */
  readonly path: string
  readonly before: Uint8Array
  readonly kind: JsonKind
  readonly isNullable: boolean
  /** Index of its column in the row. */
  readonly index: number
  /** Converts a text as the driver does. */
  readonly parse: (text: string) => unknown
  readonly after: Uint8Array
}

/** Positions of the values in a row, and the text around them. */
export interface Layout {
  /** Number of columns in a row. */
  readonly columns: number
  readonly members: readonly LayoutMember[]
}

/**
 * Writes rows as JSON between two texts. The result is what JSON.stringify would return for the same values, in UTF-8.
 * Loops over bytes instead of calling Buffer methods: most values are shorter than 40 bytes, where a call costs more.
 */
export function writeRows(rows: RawRows<unknown>, layout: Layout, before: string, after: string): Buffer {
  reserve(0, bytesPerCodeUnitMax * before.length)
  let at = scratch.write(before, 0)
  const fixed = layout.members.reduce((sum, member) => sum + member.before.length + member.after.length, 1)
  const offsets = new Int32Array(layout.columns)
  const first = at
  for (const { bytes, start, end } of rows.parts)
    for (let row = start; row < end; ) {
      const next = row + 1 + readInt32(bytes, row + 1)
      reserve(at, fixed + escapedLengthMax * (next - row))
      if (at > first) scratch[at++] = comma
      at = writeRow(bytes, row, layout, offsets, at)
      row = next
    }
  reserve(at, bytesPerCodeUnitMax * after.length)
  at += scratch.write(after, at)
  // A copy: the scratch buffer is reused while this page waits for the socket.
  return Buffer.from(scratch.subarray(0, at))
}

// One buffer for all lists, because writing a list never waits for anything. It grows to fit the longest list so far;
// pages and texts are limited in length.
let scratch = Buffer.allocUnsafeSlow(64 * 1024)

function reserve(at: number, length: number): void {
  if (at + length <= scratch.length) return
  const larger = Buffer.allocUnsafeSlow(2 * (at + length))
  scratch.copy(larger, 0, 0, at)
  scratch = larger
}

const bytesPerCodeUnitMax = 3
// A control character is written as \u001f. All other values become shorter than that, counting the four bytes in which
// PostgreSQL sends each length.
const escapedLengthMax = 6

function writeRow(bytes: Uint8Array, row: number, layout: Layout, offsets: Int32Array, start: number): number {
  let column = row + firstColumnAt
  for (let index = 0; index < layout.columns; index += 1) {
    offsets[index] = column
    column += 4 + Math.max(0, readInt32(bytes, column))
  }
  let at = start
  for (const member of layout.members) {
    at = copy(scratch, at, member.before, 0, member.before.length)
    const offset = offsets[member.index] as number
    const length = readInt32(bytes, offset)
    at = length < 0 ? writeNull(member, at) : writeValue(member, at, bytes, offset + 4, offset + 4 + length)
    at = copy(scratch, at, member.after, 0, member.after.length)
  }
  return at
}

function writeNull({ path, isNullable }: LayoutMember, at: number): number {
  if (!isNullable) throw new Error(`${path} cannot be null, and the column of a row is.`)
  return copy(scratch, at, nothing, 0, nothing.length)
}

function writeValue(member: LayoutMember, at: number, bytes: Uint8Array, start: number, end: number): number {
  switch (member.kind) {
    case 'text':
      return writeText(scratch, at, bytes, start, end)
    case 'number':
    case 'integer':
      return writeNumber(scratch, at, bytes, start, end)
    case 'boolean':
      return bytes[start] === letterT ? copy(scratch, at, yes, 0, yes.length) : copy(scratch, at, no, 0, no.length)
    case 'timestamp':
      return writeTimestamp(scratch, at, bytes, start, end) ?? writeDate(member, at, textOf(bytes, start, end))
  }
}

function copy(to: Uint8Array, target: number, from: Uint8Array, start: number, end: number): number {
  const distance = target - start
  for (let index = start; index < end; index += 1) to[index + distance] = from[index] as number
  return end + distance
}

function writeText(to: Uint8Array, target: number, from: Uint8Array, start: number, end: number): number {
  let at = target
  to[at++] = quote
  for (let index = start; index < end; index += 1) {
    const byte = from[index] as number
    if (byte >= space && byte !== quote && byte !== backslash) to[at++] = byte
    else {
      const escaped = escapes[byte] as Uint8Array
      at = copy(to, at, escaped, 0, escaped.length)
    }
  }
  to[at++] = quote
  return at
}

/** Writes a decimal without trailing zeros, if JavaScript writes the same number that way. */
function writeNumber(to: Uint8Array, target: number, from: Uint8Array, start: number, end: number): number {
  let at = target
  let point = -1
  for (let index = start; index < end; index += 1) {
    const byte = from[index] as number
    if (byte === dot && point < 0 && at > target) point = at
    else if (byte < digit0 || byte > digit9) return writeOtherNumber(target, textOf(from, start, end))
    to[at++] = byte
  }
  if (point >= 0) {
    while (to[at - 1] === digit0) at -= 1
    if (at - 1 === point) at -= 1
  }
  const digits = at - target - (point >= 0 && point < at ? 1 : 0)
  const beginsWithZero = to[target] === digit0
  // JavaScript writes 0.0000001 as 1e-7, and 007 as 7.
  const isWrittenOtherwise = beginsWithZero && at - target > 1 && (point !== target + 1 || at - point > 7)
  return digits === 0 || digits > exactDigits || isWrittenOtherwise
    ? writeOtherNumber(target, textOf(from, start, end))
    : at
}

/** With more digits, a text is not always the shortest that identifies the number. */
const exactDigits = 15

function writeOtherNumber(at: number, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number)) throw new Error('a column whose values are numbers has another value')
  return at + scratch.write(String(number), at)
}

/**
 * Writes 2026-07-02 10:00:00.123456+00 as 2026-07-02T10:00:00.123Z. Returns undefined for other forms: years with more
 * than four digits or before Christ, and other time zones.
 */
function writeTimestamp(
  to: Uint8Array,
  target: number,
  from: Uint8Array,
  start: number,
  end: number,
): number | undefined {
  const zone = end - 3
  const isUtc = from[zone] === plus && from[zone + 1] === digit0 && from[zone + 2] === digit0
  const fraction = start + 19
  const isUsual = from[start + 4] === hyphen && from[start + 10] === space && from[start + 16] === colon
  if (!isUtc || !isUsual || (fraction !== zone && from[fraction] !== dot)) return undefined
  let at = target
  to[at++] = quote
  at = copy(to, at, from, start, start + 10)
  to[at++] = letterCapitalT
  at = copy(to, at, from, start + 11, fraction)
  to[at++] = dot
  for (let index = 1; index <= 3; index += 1)
    to[at++] = fraction + index < zone ? (from[fraction + index] as number) : digit0
  to[at++] = letterCapitalZ
  to[at++] = quote
  return at
}

function writeDate({ parse }: LayoutMember, at: number, text: string): number {
  return at + scratch.write(JSON.stringify((parse(text) as Date).toISOString()), at)
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}

const codeOf = (character: string) => character.charCodeAt(0)
const [comma, quote, backslash, space, dot] = [codeOf(','), codeOf('"'), codeOf('\\'), codeOf(' '), codeOf('.')]
const [digit0, digit9, plus, hyphen, colon] = [codeOf('0'), codeOf('9'), codeOf('+'), codeOf('-'), codeOf(':')]
const [letterT, letterCapitalT, letterCapitalZ] = [codeOf('t'), codeOf('T'), codeOf('Z')]
const [nothing, yes, no] = [Buffer.from('null'), Buffer.from('true'), Buffer.from('false')]

/** JSON form of each byte up to the backslash. Most bytes are written as they are. */
const escapes = Array.from({ length: backslash + 1 }, (_, byte) =>
  Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
)
