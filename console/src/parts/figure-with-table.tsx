import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface FigureWithTableProps {
  readonly title: string
  readonly chart: ReactNode
  readonly columns: readonly string[]
  /** The first cell names the row; the others are figures. */
  readonly rows: readonly (readonly ReactNode[])[]
}

/** A chart, and the same figures as a table. Screen readers always get the table; everybody can switch to it. */
export function FigureWithTable({ title, chart, columns, rows }: FigureWithTableProps) {
  const { t } = useTranslation()
  const [isTable, setTable] = useState(false)
  return (
    <section className="card">
      <div className="spread section-title">
        <h2>{title}</h2>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {t('parts.asTable')}
        </Button>
      </div>
      {!isTable && <div aria-hidden="true">{chart}</div>}
      <div className={isTable ? 'figure-table' : 'hidden-visually'}>
        <table className="diff figures" aria-label={title}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...figures], index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity and never move
              <tr key={index}>
                <th scope="row">{name}</th>
                {figures.map((figure, column) => (
                  <td key={columns[column + 1]}>{figure}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
