import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { type List, onlyPage, useList } from '../api/list.ts'
import { type Column, figureColumn, timeColumn, unitsColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { isZero } from '../parts/decimal.ts'
import { Units } from '../parts/units.tsx'
import { HolderName } from './holder-name.tsx'

type Holder = Schemas['Holder']
type Offering = Schemas['OperatorOffering']

/** Loads the holders of a token, now or at a point in time. */
export function useHolders({ id, token_address: token }: Offering, at?: string): List<Holder> {
  return useList<Holder>(['holders', id, token, at ?? 'now'], async (page) =>
    token === null
      ? onlyPage([])
      : api.get('/offerings/{offeringId}/holders', {
          path: { offeringId: id },
          query: { ...page, ...(at !== undefined && { at }) },
        }),
  )
}

interface HoldersTableProps {
  readonly list: List<Holder>
  readonly offering: Offering
  /** Also shows since when they hold units, and how many are frozen. */
  readonly isDetailed?: boolean
}

export function HoldersTable({ list, offering, isDetailed = false }: HoldersTableProps) {
  const { t } = useTranslation()
  const { decimals } = offering
  const columns: Column<Holder>[] = [
    { id: 'name', header: t('orders.investor'), cell: (holder) => <HolderName holder={holder} /> },
    { id: 'address', header: t('offerings.address'), width: 130, cell: ({ address }) => <Copied text={address} /> },
    unitsColumn('units', t('orders.units'), 130, ({ units }) => ({ units, decimals })),
    figureColumn('share', '%', 80, ({ percent }) => percent ?? '–'),
    figureColumn('frozen', t('register.frozen'), 110, ({ frozen_units: frozen }) =>
      isZero(frozen) ? <span className="muted">–</span> : <Units units={frozen} decimals={decimals} />,
    ),
    timeColumn('since', t('investors.since'), (one) => one.since),
  ]
  return (
    <DataTable
      label={t('offerings.holders')}
      list={list}
      columns={columns}
      hidden={isDetailed ? '' : 'frozen,since,address'}
      idOf={({ address }) => address}
      isShort
      emptyText={t('offerings.noHolders')}
    />
  )
}
