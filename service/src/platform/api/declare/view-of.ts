import type { Static, TObject, TSchema } from 'typebox'
import { Money } from '../../base/money.ts'

/**
 * Returns the view of a resource: reads each member of the schema from the column with its name in camel case, or from
 * the one in `columns`. A time becomes text, and the text of an amount becomes a number where the schema says so:
 * amounts have at most 15 digits, which a JSON number represents exactly. Values that are encrypted, computed or
 * sometimes absent need a view of their own.
 */
export function viewOf<Item extends TObject, const Columns extends ColumnNames<Item> = Record<never, never>>(
  item: Item,
  columns?: Columns,
): (row: RowOf<Item, Columns>) => Static<Item> {
  const named: Readonly<Record<string, string>> = { ...camelColumns(item), ...columns }
  const members = Object.entries(item.properties).map(([name, schema]) => ({
    name,
    column: named[name] ?? name,
    isAmount: isNumber(schema),
  }))
  return (row) => {
    const view: Record<string, unknown> = {}
    for (const { name, column, isAmount } of members) {
      const value = (row as Readonly<Record<string, unknown>>)[column]
      if (value instanceof Date) view[name] = value.toISOString()
      else if (value instanceof Money) view[name] = isAmount ? value.toNumber() : value.toString()
      else view[name] = isAmount && typeof value === 'string' ? Number(value) : value
    }
    return view as Static<Item>
  }
}

/** Maps members to columns with their names in camel case. */
export function camelColumns<Item extends TObject>(
  item: Item,
): { readonly [Name in keyof Static<Item> & string]: Camel<Name> } {
  const names = Object.keys(item.properties).map((name) => [
    name,
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  ])
  return Object.fromEntries(names)
}

type ColumnNames<Item extends TObject> = { readonly [Name in keyof Static<Item>]?: string }

/** Columns of the row that a view needs, and types of their values. */
type RowOf<Item extends TObject, Columns> = {
  readonly [Name in keyof Static<Item> & string as ColumnOf<Name, Columns>]: Stored<Static<Item>[Name]>
}
type ColumnOf<Name extends string, Columns> = Name extends keyof Columns ? Columns[Name] & string : Camel<Name>
type Stored<Value> = Value extends string ? Value | Date | Money : Value extends number ? Value | string | Money : Value

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

function isNumber(schema: TSchema): boolean {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: readonly TSchema[] }
  return type === 'number' || type === 'integer' || (anyOf?.some(isNumber) ?? false)
}
