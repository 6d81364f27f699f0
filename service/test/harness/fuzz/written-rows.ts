import fc from 'fast-check'
import pg from 'pg'
import { type Static, Type } from 'typebox'
import { orNull, Timestamp, Uuid } from '../../../src/platform/api/declare/fields.ts'
import { compileSerializer } from '../../../src/platform/api/pipeline/serializer-schema.ts'
// Sets how the driver parses dates.
import '../../../src/platform/postgres/pools.ts'
import { type RawColumn, RawRows } from '../../../src/platform/postgres/wire/raw-rows.ts'
import { nastyTexts } from './nasty-text.ts'

const closed = { additionalProperties: false }
const statuses = ['NEW', 'PAID'] as const
/** A schema with every kind of member, in another order than the columns. */
export const WrittenItem = Type.Object(
  {
    id: Uuid('The item.'),
    inner: Type.Object(
      { name: Type.String(), deeper: Type.Object({ at: orNull(Timestamp('When.')), on: Type.String() }, closed) },
      closed,
    ),
    amount: Type.Number(),
    share: orNull(Type.Number()),
    note: orNull(Type.String()),
    created_at: Timestamp('When.'),
    decimals: Type.Integer(),
    is_open: Type.Boolean(),
    status: Type.Enum(statuses),
    last_status: orNull(Type.Enum(statuses)),
    units: Type.String(),
  },
  { ...closed, title: 'WrittenItem' },
)

/** A row as the driver returns it. */
export interface WrittenRow {
  decimals: number
  isOpen: boolean
  note: string | null
  id: string
  name: string
  amount: string
  share: string | null
  createdAt: Date
  at: Date | null
  day: string
  status: (typeof statuses)[number]
  lastStatus: (typeof statuses)[number] | null
  units: string
}

export const writtenMembers = {
  id: 'id',
  inner: { name: 'name', deeper: { at: 'at', on: 'day' } },
  amount: 'amount',
  share: 'share',
  note: 'note',
  created_at: 'createdAt',
  decimals: 'decimals',
  is_open: 'isOpen',
  status: 'status',
  last_status: 'lastStatus',
  units: 'units',
} as const

const types: Record<keyof WrittenRow, number> = {
  decimals: 23,
  isOpen: 16,
  note: 25,
  id: 2950,
  name: 25,
  amount: 1700,
  share: 25,
  createdAt: 1184,
  at: 1184,
  day: 1082,
  status: 25,
  lastStatus: 25,
  units: 1700,
}
export const writtenColumns = Object.entries(types).map(([name, type]) => rawColumn(name, type))

export function rawColumn(name: string, type: number): RawColumn {
  return { name, type, parse: pg.types.getTypeParser(type) }
}

/** Returns a function that turns rows into JSON with a view and the serializer of the API. */
export function rowSerializer(): (rows: readonly WrittenRow[]) => string {
  const serialize = compileSerializer(Type.Array(WrittenItem))
  return (rows) => serialize(rows.map(view))
}

function view(row: WrittenRow): Static<typeof WrittenItem> {
  return {
    id: row.id,
    inner: { name: row.name, deeper: { at: row.at?.toISOString() ?? null, on: row.day } },
    amount: Number(row.amount),
    share: row.share === null ? null : Number(row.share),
    note: row.note,
    created_at: row.createdAt.toISOString(),
    decimals: row.decimals,
    is_open: row.isOpen,
    status: row.status,
    last_status: row.lastStatus,
    units: row.units,
  }
}

/** A row as PostgreSQL sends it. */
export type RowTexts = Record<keyof WrittenRow, string | null>

/** Returns the rows as PostgreSQL sends them, and as objects. */
export function rowsOfTexts(texts: readonly RowTexts[]): { raw: RawRows<WrittenRow>; objects: WrittenRow[] } {
  const raw = new RawRows<WrittenRow>(writtenColumns)
  for (const row of texts) raw.addTexts(writtenColumns.map(({ name }) => row[name as keyof WrittenRow]))
  const objects = texts.map((row) => {
    const values = writtenColumns.map(({ name, parse }) => {
      const text = row[name as keyof WrittenRow]
      return [name, text === null ? null : parse(text)]
    })
    return Object.fromEntries(values) as WrittenRow
  })
  return { raw, objects }
}

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${count}}$`))
const whole = fc.oneof(
  fc.constant('0'),
  fc.stringMatching(/^[1-9][0-9]{0,14}$/),
  fc.stringMatching(/^[1-9][0-9]{15,24}$/),
)
const decimal = fc
  .tuple(
    fc.constantFrom('', '', '', '-'),
    whole,
    fc.option(fc.oneof(digits(2), digits(12), fc.stringMatching(/^0{2,9}[0-9]{0,2}$/))),
  )
  .map(([sign, digitsBefore, fraction]) => `${sign}${digitsBefore}${fraction === null ? '' : `.${fraction}`}`)
  // PostgreSQL has no negative zero.
  .map((text) => (/^-[0.]*$/.test(text) ? text.slice(1) : text))

const two = (max: number, min = 0) => fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'))
const timestamp = fc
  .record({
    year: fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 10_000, max: 200_000 })),
    month: two(12, 1),
    day: two(28, 1),
    hour: two(23),
    minute: two(59),
    second: two(59),
    fraction: fc.option(fc.stringMatching(/^[0-9]{0,5}[1-9]$/)),
    zone: fc.constantFrom('+00', '+00', '+00', '+02', '-03', '+05:30', '-00:44:30'),
    era: fc.constantFrom('', '', '', ' BC'),
  })
  .map(
    // PostgreSQL begins in the year 4713 BC.
    ({ year, month, day, hour, minute, second, fraction, zone, era }) =>
      `${String(era === '' ? year : (year % 4_000) + 1).padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}` +
      `${fraction === null ? '' : `.${fraction}`}${zone}${era}`,
  )

const storable = (text: string) => text.isWellFormed() && !text.includes('\0')
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('"', '\\', '\n', '\r', '\t', '\b', '\f', '\u0001', '\u001f', '\u007f', 'a', 'ß'),
    }),
    fc.constantFrom(...nastyTexts),
  )
  .filter(storable)
const nullable = (value: fc.Arbitrary<string>) => fc.oneof(value, fc.constant(null))

export const anyRowTexts: fc.Arbitrary<RowTexts> = fc.record({
  decimals: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map(String),
  isOpen: fc.constantFrom('t', 'f'),
  note: nullable(text),
  id: fc.uuid(),
  name: text,
  amount: decimal,
  share: nullable(decimal),
  createdAt: timestamp,
  at: nullable(timestamp),
  day: fc.constantFrom('2026-07-02', '0001-01-01'),
  status: fc.constantFrom(...statuses),
  lastStatus: nullable(fc.constantFrom(...statuses)),
  units: decimal,
})

export const exampleTexts: RowTexts = {
  decimals: '8',
  isOpen: 't',
  note: null,
  id: crypto.randomUUID(),
  name: 'Ada',
  amount: '12.50',
  share: null,
  createdAt: '2026-07-02 10:00:00.5+00',
  at: null,
  day: '2026-07-02',
  status: 'NEW',
  lastStatus: null,
  units: '1000',
}
