import type { Static, TObject, TSchema } from 'typebox'
import type { Money } from '../../base/money.ts'
import type { RawColumn, RawRows } from '../../postgres/wire/raw-rows.ts'
import { type JsonKind, type Layout, type LayoutMember, writeRows } from './row-writer.ts'

/**
 * Writes the rows of a list as JSON, byte for byte what a view and the serializer would write. It saves an object per
 * row and a string per value, which cost a third of a page. Declare it beside the view of the resource, with the column
 * of each member; the schema decides how a value is written. Fails startup if a member has no column, or if its type
 * needs a view: an encrypted value, an array, or a member that may be absent.
 */
export function jsonRowsOf<Row, Item extends TObject>(item: Item, columns: ColumnsOf<Item, Row>): WriteRows<Row, Item> {
  const members = membersOf(item, columns as Columns, { path: titleOf(item), before: '' })
  // Layouts by statement: its columns are the same array until another connection prepares it.
  const layouts = new WeakMap<readonly RawColumn[], Layout>()
  return (rows) => {
    let layout = layouts.get(rows.columns)
    if (!layout) {
      layout = layoutOf(members, rows.columns)
      layouts.set(rows.columns, layout)
    }
    return new JsonRows(item, rows, layout)
  }
}

/** State `Row` explicitly: the rows of the statement decide which columns exist. */
export type WriteRows<Row, Item extends TSchema> = (rows: RawRows<Row>) => JsonRows<Item>

/** Maps members to columns of the same names. */
export function sameNames<Item extends TObject>(item: Item): { readonly [Name in keyof Static<Item>]: Name } {
  const names = Object.keys(item.properties).map((name) => [name, name])
  return Object.fromEntries(names) as { [Name in keyof Static<Item>]: Name }
}

/** Rows of a list that are not written yet. */
export class JsonRows<Item extends TSchema> {
  readonly item: Item
  readonly #rows: RawRows<unknown>
  readonly #layout: Layout

  constructor(item: Item, rows: RawRows<unknown>, layout: Layout) {
    this.item = item
    this.#rows = rows
    this.#layout = layout
  }

  /** Returns the rows, separated by commas, between two texts. */
  between(before: string, after: string): Buffer {
    return writeRows(this.#rows, this.#layout, before, after)
  }
}

/** The column of each member, and for a member that is an object, those of its members. */
type ColumnsOf<Item extends TSchema, Row> = MembersOf<Static<Item>, Row>
type MembersOf<Members, Row> = {
  readonly [Name in keyof Members]: Members[Name] extends object
    ? MembersOf<Members[Name], Row>
    : ColumnFor<Members[Name], Row>
}
/** Names of the columns whose type fits. An amount is a number in a response, but PostgreSQL sends a decimal. */
type ColumnFor<Value, Row> = {
  [Name in keyof Row]: Row[Name] extends RowValue<Value> ? Name : never
}[keyof Row]
type RowValue<Value> = Value extends string ? string | Date : Value extends number ? Money | string | number : Value

type Columns = { readonly [name: string]: string | Columns | undefined }

interface Member {
  /** Position in the response, for messages. */
  readonly path: string
  /** Text to write before its value: everything since the end of the previous value. */
  readonly before: string
  readonly kind: JsonKind
  readonly isNullable: boolean
  readonly column: string
  /** Text to write after its value if it is the last one of an object. */
  readonly after: string
}

function membersOf(item: TObject, columns: Columns, { path, before }: { path: string; before: string }): Member[] {
  for (const name of Object.keys(columns))
    if (!item.properties[name])
      throw new Error(`${path} does not have the member ${name}, for which a column is declared.`)
  const members: Member[] = []
  for (const [name, schema] of Object.entries(item.properties)) {
    const at = `${path}.${name}`
    const column = columns[name]
    const text = `${members.length === 0 ? `${before}{` : ','}${JSON.stringify(name)}:`
    if (column === undefined) throw new Error(`${at} has no column.`)
    if (!item.required?.includes(name)) throw new Error(`${at} may be absent, so it needs a view.`)
    if (isObject(schema) && typeof column === 'object')
      members.push(...membersOf(schema, column, { path: at, before: text }))
    else if (typeof column === 'string')
      members.push({ path: at, before: text, ...kindOf(schema, at), column, after: '' })
    else throw new Error(`${at} is not an object, and columns of members are declared for it.`)
  }
  return closeLast(members, path)
}

function closeLast(members: Member[], path: string): Member[] {
  const last = members.pop()
  if (!last) throw new Error(`${path} has no members.`)
  return [...members, { ...last, after: `${last.after}}` }]
}

function isObject(schema: TSchema): schema is TObject {
  return (schema as { type?: unknown }).type === 'object'
}

/** A column that is null is written as null. */
function kindOf(schema: TSchema, path: string): { kind: JsonKind; isNullable: boolean } {
  const { type, format, enum: values, anyOf } = schema as JsonSchema
  const [value, nothing] = anyOf ?? []
  if (value && anyOf?.length === 2 && nothing?.type === 'null') return { ...kindOf(value, path), isNullable: true }
  const isText = type === 'string' || values?.every((one) => typeof one === 'string')
  if (isText) return { kind: format === 'date-time' ? 'timestamp' : 'text', isNullable: false }
  if (type === 'number' || type === 'integer' || type === 'boolean') return { kind: type, isNullable: false }
  throw new Error(`${path} has a type that cannot be written from one column, so it needs a view.`)
}

interface JsonSchema extends TSchema {
  type?: unknown
  format?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
}

function titleOf(item: TSchema): string {
  const { title } = item as { title?: string }
  return title ?? 'An item without a title'
}

/** Finds the column of each member. Checks names and types, which are known only from the first rows. */
function layoutOf(members: readonly Member[], columns: readonly RawColumn[]): Layout {
  const placed = members.map(({ path, before, kind, isNullable, column: name, after }): LayoutMember => {
    const index = columns.findIndex((column) => column.name === name)
    const column = columns[index]
    if (!column) throw new Error(`${path} is read from the column ${name}, which the statement does not select.`)
    if (!columnTypes[kind].includes(column.type))
      throw new Error(`${path} is a ${kind} and cannot be read from the column ${name} of type ${column.type}.`)
    const texts = { before: Buffer.from(before), after: Buffer.from(after) }
    return { path, ...texts, kind, isNullable, index, parse: column.parse }
  })
  return { columns: columns.length, members: placed }
}

/** Object ids of PostgreSQL's types. */
const oids = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  date: 1082,
  timestamptz: 1184,
  numeric: 1700,
  uuid: 2950,
}

/** Types whose text the writer understands or copies unchanged. */
const columnTypes: Readonly<Record<JsonKind, readonly number[]>> = {
  text: [oids.text, oids.uuid, oids.date, oids.numeric, oids.int8],
  number: [oids.text, oids.numeric, oids.int2, oids.int4],
  integer: [oids.int2, oids.int4, oids.int8],
  boolean: [oids.bool],
  timestamp: [oids.timestamptz],
}
