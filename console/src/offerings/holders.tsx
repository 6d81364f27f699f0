import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { type List, onlyPage, useList } from '../api/list.ts'
import { Copied } from '../parts/copied.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { isZero } from '../parts/decimal.ts'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'
import { HolderName } from './holder-name.tsx'

type Holder = Schemas['Holder']
type Offering = Schemas['OperatorOffering']

/** Loads the holders of a token, now or at a point in time. */
export function useHolders({ id, token_address: token }: Offering, at?: string): List<Holder> {
  return useList<Holder>(['holders', id, token, at ?? 'now'], async (page) =>
    token === null
      ? onlyPage([])
      : bodyOf(
          api.GET('/offerings/{offeringId}/holders', {
            params: { path: { offeringId: id }, query: { ...page, ...(at !== undefined && { at }) } },
          }),
        ),
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
  const columns = useMemo<Column<Holder>[]>(
    () => [
      { id: 'name', header: t('orders.investor'), cell: (holder) => <HolderName holder={holder} /> },
      { id: 'address', header: t('offerings.address'), width: 130, cell: ({ address }) => <Copied text={address} /> },
      {
        id: 'units',
        header: t('orders.units'),
        isRight: true,
        width: 130,
        cell: ({ units }) => <Units units={units} decimals={decimals} />,
      },
      { id: 'share', header: '%', isRight: true, width: 80, cell: ({ percent }) => percent ?? '–' },
      {
        id: 'frozen',
        header: t('register.frozen'),
        isRight: true,
        width: 110,
        cell: ({ frozen_units: frozen }) =>
          isZero(frozen) ? <span className="muted">–</span> : <Units units={frozen} decimals={decimals} />,
      },
      { id: 'since', header: t('investors.since'), width: 140, cell: ({ since }) => <Time time={since} isRelative /> },
    ],
    [t, decimals],
  )
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
