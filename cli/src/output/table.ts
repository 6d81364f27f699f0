import { fromUnits } from '@investor-token/sdk'
import Table from 'cli-table3'
import { harmless, paint } from '../base/terminal.ts'

export type Row = Record<string, unknown>

/** A heading, and a path into the row (`account.full_name`) or a function of it. */
export type Column = readonly [heading: string, of: string | ((row: Row, cell: (path: string) => string) => string)]

export interface TableOptions {
  /** Units as they are, instead of amounts of tokens. */
  readonly raw?: boolean | undefined
  /** Of the token that all rows are about, where the rows do not tell themselves. */
  readonly decimals?: number | undefined
}

/** One line for each row. Without lines around the cells, so that it can be cut with the tools of a shell. */
export function rowsTable(rows: readonly Row[], columns: readonly Column[], options: TableOptions = {}): string {
  const table = plainTable(columns.map(([heading]) => paint('bold', heading)))
  for (const row of rows) {
    const cell = (path: string) => textOf(memberOf(row, path), decimalsOf(row) ?? options.decimals, options)
    table.push(columns.map(([, of]) => harmless(typeof of === 'string' ? cell(of) : of(row, cell))))
  }
  return trimmed(table)
}

/** One thing, a line for each of its members. */
export function thingTable(thing: Row, options: TableOptions = {}): string {
  const table = plainTable()
  for (const [name, value] of leavesOf(thing)) {
    const decimals = decimalsOf(thing) ?? options.decimals
    table.push([paint('bold', name), harmless(textOf(value, decimals, options))])
  }
  return trimmed(table)
}

function plainTable(head: string[] = []) {
  const none = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' }
  const noneEither = { 'bottom-left': '', 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '' }
  return new Table({
    head,
    chars: { ...none, ...noneEither, right: '', 'right-mid': '', middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
}

function trimmed(table: { toString(): string }): string {
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

function leavesOf(thing: Row, prefix = ''): [name: string, value: unknown][] {
  return Object.entries(thing).flatMap(([name, value]) => {
    if (isRow(value)) return leavesOf(value, `${prefix}${name}.`)
    if (Array.isArray(value) && value.some(isRow))
      return value.flatMap((one, index) =>
        isRow(one)
          ? leavesOf(one, `${prefix}${name}.${index}.`)
          : [[`${prefix}${name}.${index}`, one] as [string, unknown]],
      )
    return [[`${prefix}${name}`, value] as [string, unknown]]
  })
}

function memberOf(row: Row, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRow(value) ? value[name] : undefined), row)
}

function decimalsOf(row: Row): number | undefined {
  const decimals = row['decimals'] ?? memberOf(row, 'offering.decimals')
  return typeof decimals === 'number' ? decimals : undefined
}

/** Units arrive as bigint, and nothing else does. */
function textOf(value: unknown, decimals: number | undefined, { raw }: TableOptions): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'bigint') return raw || decimals === undefined ? String(value) : fromUnits(value, decimals)
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(String).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
