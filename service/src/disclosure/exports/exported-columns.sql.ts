import { join, raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Cell } from '../csv.ts'

/** The columns of a file by name, each with the expression that selects it. */
type ExportedColumns = Readonly<Record<string, Sql>>
export type Selected = Readonly<Record<string, string | number | Date | null>>

export function selectionOf(columns: ExportedColumns): Sql {
  return join(Object.entries(columns).map(([name, expression]) => sql`${expression} as ${raw(`"${name}"`)}`))
}

/** Returns the cells of a row, in the order of the columns. */
export function cellsOf(columns: ExportedColumns, row: Selected): Cell[] {
  return Object.keys(columns).map((name) => {
    const value = row[name] ?? null
    return value instanceof Date ? value.toISOString() : value === null ? null : String(value)
  })
}
