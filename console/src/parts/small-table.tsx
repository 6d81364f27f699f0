import type { ReactNode } from 'react'

interface SmallTableProps {
  readonly label?: string
  readonly columns?: readonly string[]
  /** A key, the name of the row, then its other cells. */
  readonly rows: readonly (readonly [key: string | number, name: ReactNode, ...cells: ReactNode[]])[]
  /** True if all cells except names are figures, aligned on the right. */
  readonly isFigures?: boolean
}

/** A table that is known as a whole: without paging, sorting or selection. */
export function SmallTable({ label, columns, rows, isFigures = false }: SmallTableProps) {
  return (
    <table className={isFigures ? 'diff figures' : 'diff'} aria-label={label}>
      {columns && (
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" className={isFigures && index > 0 ? 'right' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([key, name, ...cells]) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {Object.entries(cells).map(([position, cell]) => (
              <td key={position}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
