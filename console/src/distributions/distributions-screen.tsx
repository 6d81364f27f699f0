import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { Actions } from '../parts/actions.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { useDistributionColumns } from './distribution-columns.tsx'
import { useDraftAction } from './distribution-draft.tsx'
import { DistributionTabs } from './distribution-tabs.tsx'
import { distributionStatuses } from './distribution-terms.ts'
import { usePayableOfferings } from './use-offerings.ts'

type Distribution = Schemas['Distribution']

const route = getRouteApi('/distributions')

/** Coupons, dividends and redemptions of all offerings. */
export function DistributionsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const { hide, ...filters } = search
  const list = useList<Distribution>(['distributions', filters], (page) =>
    bodyOf(api.GET('/distributions', { params: { query: { ...(filters as object), ...page } } })),
  )
  const columns = useDistributionColumns()
  const offerings = usePayableOfferings()
  const open = ({ id }: Distribution) =>
    void navigate({ to: '/distributions/$distributionId', params: { distributionId: id } })
  const draft = useDraftAction(offerings, open)
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.distributions')} count={list.count}>
        <Actions actions={offerings.length > 0 ? [draft] : []} />
      </PageTitle>
      <DistributionTabs />
      <ListBar
        list="listDistributions"
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          { name: 'status', label: t('orders.status'), options: optionsOf(distributionStatuses) },
          { name: 'offering_id', label: t('orders.offeringId') },
        ]}
      />
      <DataTable
        label={t('nav.distributions')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={search.direction}
        onDirection={(direction) => setSearch({ direction })}
        onOpen={open}
        emptyText={t('distributions.empty')}
      />
    </div>
  )
}
