import { fromUnits } from '@investor-token/sdk'
import Table from 'cli-table3'
import { escapeControlCharacters, paint } from '../base/terminal.ts'

export type Row = Record<string, unknown>

/** A heading, and a path into the row (`account.full_name`) or a function of the row. */
export type Column = readonly [heading: string, of: string | ((row: Row, cell: (path: string) => string) => string)]

export interface TableOptions {
  /** Shows units instead of token amounts. */
  readonly raw?: boolean | undefined
  /** Decimals of the token, for rows that do not contain them. */
  readonly decimals?: number | undefined
}

/** Formats one line per row, without borders, so that shell tools such as cut and awk can parse it. */
export function rowsTable(rows: readonly Row[], columns: readonly Column[], options: TableOptions = {}): string {
  const table = plainTable(columns.map(([heading]) => paint('bold', heading)))
  for (const row of rows) {
    const cell = (path: string) => textOf(memberOf(row, path), decimalsOf(row) ?? options.decimals, options)
    table.push(columns.map(([, of]) => escapeControlCharacters(typeof of === 'string' ? cell(of) : of(row, cell))))
  }
  return trimmed(table)
}

/** Formats one object, with one line per member. */
export function objectTable(object: Row, options: TableOptions = {}): string {
  const table = plainTable()
  for (const [name, value] of leavesOf(object)) {
    const decimals = decimalsOf(object) ?? options.decimals
    table.push([paint('bold', name), escapeControlCharacters(textOf(value, decimals, options))])
  }
  return trimmed(table)
}

function plainTable(head: string[] = []) {
  const horizontal = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' }
  const corners = { 'bottom-left': '', 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '' }
  return new Table({
    head,
    chars: { ...horizontal, ...corners, right: '', 'right-mid': '', middle: '  ' },
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

function leavesOf(object: Row, prefix = ''): [name: string, value: unknown][] {
  return Object.entries(object).flatMap(([name, value]) => {
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

/** Formats a value. Only units are bigint in the SDK. */
function textOf(value: unknown, decimals: number | undefined, { raw }: TableOptions): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'bigint') return raw || decimals === undefined ? String(value) : fromUnits(value, decimals)
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(String).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
