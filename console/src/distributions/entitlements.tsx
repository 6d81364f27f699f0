import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { HolderName } from '../offerings/holder-name.tsx'
import type { Action } from '../parts/actions.tsx'
import { Card } from '../parts/card.tsx'
import { actionsColumn, type Column, moneyColumn, unitsColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { moneyText } from '../parts/money-text.ts'
import { State } from '../parts/state.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'

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
    api.get('/distributions/{distributionId}/entitlements', {
      path: { distributionId: id },
      query: { ...(filters as object), ...page },
    }),
  )
  const columns = useColumns(offeringId, offering?.decimals ?? 0)
  return (
    <Card title={t('distributions.entitlements')} className="stack">
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
        hidden={hide}
        isShort
        emptyText={t('distributions.noEntitlements')}
      />
    </Card>
  )
}

function useColumns(offeringId: string, decimals: number): Column<Entitlement>[] {
  const { t } = useTranslation()
  const actionsOf = useEntitlementActions(offeringId)
  return [
    {
      id: 'investor',
      header: t('orders.investor'),
      cell: ({ account_id: accountId, account_name: name }) => <HolderName holder={{ account_id: accountId, name }} />,
    },
    { id: 'address', header: t('offerings.address'), width: 130, cell: ({ address }) => <Copied text={address} /> },
    unitsColumn('units', t('orders.units'), 100, ({ units }) => ({ units, decimals })),
    moneyColumn('withheld', t('distributions.withheld'), 120, (one) => one.withheld_amount),
    moneyColumn('net', t('distributions.net'), 130, (one) => one.net_amount),
    { id: 'status', header: t('orders.status'), width: 110, cell: ({ status }) => <State state={status} /> },
    {
      id: 'why',
      header: t('distributions.why'),
      cell: ({ left_out: leftOut, failure }) => (
        <span className="tone-attention">{(failure ?? leftOut)?.replaceAll('_', ' ')}</span>
      ),
    },
    actionsColumn(t('parts.actions'), 170, actionsOf),
  ]
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
        run: (key) => api.post('/entitlements/{entitlementId}/approve-account', { path: { entitlementId: id }, key }),
        done: t('refunds.accountApproved'),
      },
    ]
  }
}
