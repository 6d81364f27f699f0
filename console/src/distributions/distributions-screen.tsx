import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { usePayableOfferings } from '../offerings/use-offerings.ts'
import { Actions } from '../parts/actions.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { useDistributionColumns } from './distribution-columns.tsx'
import { useDraftAction } from './distribution-draft.tsx'
import { DistributionTabs } from './distribution-tabs.tsx'
import { distributionStatuses } from './distribution-terms.ts'

type Distribution = Schemas['Distribution']

const route = getRouteApi('/distributions')

/** Coupons, dividends and redemptions of all offerings. */
export function DistributionsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = useNavigate()
  const list = useFilteredList('distributions', search, (query) => api.get('/distributions', { query }))
  const columns = useDistributionColumns()
  const offerings = usePayableOfferings()
  const open = ({ id }: Distribution) =>
    void navigate({ to: '/distributions/$distributionId', params: { distributionId: id } })
  const draft = useDraftAction(offerings, open)
  return (
    <ListScreen
      title={t('nav.distributions')}
      operation="listDistributions"
      list={list}
      columns={columns}
      search={search}
      filters={[
        { name: 'status', label: t('orders.status'), options: optionsOf(distributionStatuses) },
        { name: 'offering_id', label: t('orders.offeringId') },
      ]}
      onOpen={open}
      emptyText={t('distributions.empty')}
      aside={<Actions actions={offerings.length > 0 ? [draft] : []} />}
    >
      <DistributionTabs />
    </ListScreen>
  )
}
