import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { HolderName } from '../offerings/holder-name.tsx'
import { type Action, Actions } from '../parts/actions.tsx'
import { Copied } from '../parts/copied.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { Money } from '../parts/money.tsx'
import { moneyText } from '../parts/money-text.ts'
import { State } from '../parts/state.tsx'
import { Units } from '../parts/units.tsx'

type Entitlement = Schemas['DistributionEntitlement']

interface EntitlementsProps {
  readonly distribution: Schemas['DistributionPreview']
  readonly offering: Schemas['OperatorOffering'] | undefined
}

const route = getRouteApi('/distributions/$distributionId')
const statuses = ['due', 'sent', 'paid', 'returned', 'set_apart', 'nothing']

/** Entitlement of each address, and the progress of its payment. */
export function Entitlements({ distribution: { id, offering_id: offeringId }, offering }: EntitlementsProps) {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const { hide, ...filters } = search
  const list = useList<Entitlement>(['distribution', id, 'entitlements', filters], (page) =>
    bodyOf(
      api.GET('/distributions/{distributionId}/entitlements', {
        params: { path: { distributionId: id }, query: { ...(filters as object), ...page } },
      }),
    ),
  )
  const columns = useColumns(offeringId, offering?.decimals ?? 0)
  return (
    <section className="card stack">
      <h2>{t('distributions.entitlements')}</h2>
      <ListBar
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[{ name: 'status', label: t('orders.status'), options: optionsOf(statuses) }]}
      />
      <DataTable
        label={t('distributions.entitlements')}
        list={list}
        columns={columns}
        idOf={({ id: entitlementId }) => entitlementId}
        hidden={hide}
        isShort
        emptyText={t('distributions.noEntitlements')}
      />
    </section>
  )
}

function useColumns(offeringId: string, decimals: number): Column<Entitlement>[] {
  const { t } = useTranslation()
  const actionsOf = useEntitlementActions(offeringId)
  return useMemo(
    () => [
      {
        id: 'investor',
        header: t('orders.investor'),
        cell: ({ account_id: accountId, account_name: name }) => (
          <HolderName holder={{ account_id: accountId, name }} />
        ),
      },
      { id: 'address', header: t('offerings.address'), width: 130, cell: ({ address }) => <Copied text={address} /> },
      {
        id: 'units',
        header: t('orders.units'),
        isRight: true,
        width: 100,
        cell: ({ units }) => <Units units={units} decimals={decimals} />,
      },
      {
        id: 'withheld',
        header: t('distributions.withheld'),
        isRight: true,
        width: 120,
        cell: ({ withheld_amount: amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'net',
        header: t('distributions.net'),
        isRight: true,
        width: 130,
        cell: ({ net_amount: amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      { id: 'status', header: t('orders.status'), width: 110, cell: ({ status }) => <State state={status} /> },
      {
        id: 'why',
        header: t('distributions.why'),
        cell: ({ left_out: leftOut, failure }) => (
          <span className="tone-attention">{(failure ?? leftOut)?.replaceAll('_', ' ')}</span>
        ),
      },
      {
        id: 'actions',
        header: t('parts.actions'),
        width: 170,
        cell: (one) => <Actions actions={actionsOf(one)} isCompact />,
      },
    ],
    [t, decimals, actionsOf],
  )
}

function useEntitlementActions(offeringId: string): (entitlement: Entitlement) => Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  return ({ id, status, left_out: leftOut, net_amount: amount, currency, account_name: name }) => {
    const isStopped = status === 'returned' || (status === 'due' && leftOut !== null)
    if (!isStopped || !may('money', offeringId)) return []
    return [
      {
        id: 'approve-account',
        label: t('refunds.approveAccount'),
        consequence: t('distributions.approveAccountText', {
          amount: moneyText(amount, currency, i18n.language),
          name: name ?? '',
        }),
        run: (key) =>
          bodyOf(
            api.POST('/entitlements/{entitlementId}/approve-account', {
              params: { path: { entitlementId: id }, header: once(key) },
            }),
          ),
        done: t('refunds.accountApproved'),
      },
    ]
  }
}
