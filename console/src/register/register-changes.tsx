import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { HolderName } from '../offerings/holder-name.tsx'
import { Card } from '../parts/card.tsx'
import { type Column, figureColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Units } from '../parts/units.tsx'
import { dayLabel } from '../text/format.ts'
import { dayEnd } from './day-end.ts'

type Change = Schemas['RegisterChange']

interface RegisterChangesProps {
  readonly offering: Schemas['OperatorOffering']
  readonly from: string
  readonly to: string | undefined
}

/** Lists the holders whose units differ between the ends of two days. */
export function RegisterChanges({ offering, from, to }: RegisterChangesProps) {
  const { t } = useTranslation()
  const { id: offeringId, decimals } = offering
  const [start, end] = [dayEnd(from), to === undefined ? undefined : dayEnd(to)]
  const times = { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) }
  const list = useList<Change>(['register-changes', offeringId, from, to], (page) =>
    api.get('/offerings/{offeringId}/register-changes', { path: { offeringId }, query: { ...page, ...times } }),
  )
  const columns = useMemo<Column<Change>[]>(() => {
    const units = (id: 'units_before' | 'units_after', header: string): Column<Change> => ({
      id,
      header,
      isRight: true,
      width: 150,
      cell: (change) => <Units units={change[id]} decimals={decimals} />,
    })
    return [
      { id: 'name', header: t('orders.investor'), cell: (change) => <HolderName holder={change} /> },
      { id: 'address', header: t('offerings.address'), width: 130, cell: ({ address }) => <Copied text={address} /> },
      units('units_before', t('parts.before')),
      units('units_after', t('parts.after')),
      figureColumn('change', t('register.change'), 150, ({ change }) => (
        <span className={change.startsWith('-') ? 'tone-failed' : 'tone-done'}>
          {change.startsWith('-') ? '' : '+'}
          <Units units={change} decimals={decimals} />
        </span>
      )),
    ]
  }, [t, decimals])
  return (
    <Card title={t('register.changes', { from: dayLabel(from), to: to ? dayLabel(to) : t('register.today') })}>
      <DataTable
        label={t('register.changesLabel')}
        list={list}
        columns={columns}
        idOf={({ address }) => address}
        isShort
        emptyText={t('register.noChanges')}
      />
    </Card>
  )
}
