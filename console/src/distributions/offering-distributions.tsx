import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { Card } from '../parts/card.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { useDistributionColumns } from './distribution-columns.tsx'
import { useDraftAction } from './distribution-draft.tsx'
import { useScheduleAction } from './schedule-draft.tsx'
import { SchedulesTable } from './schedules-table.tsx'

type Distribution = Schemas['Distribution']

/** Distributions to the holders of an offering's token, and the schedules that draft them. */
export function OfferingDistributions({ offering }: { offering: Schemas['OperatorOffering'] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const may = useMay()
  const filter = { offering_id: offering.id }
  const list = useList<Distribution>(['distributions', filter], (page) =>
    api.get('/distributions', { query: { ...filter, ...page } }),
  )
  const columns = useDistributionColumns()
  const open = ({ id }: Distribution) =>
    void navigate({ to: '/distributions/$distributionId', params: { distributionId: id } })
  const draft = useDraftAction([offering], open)
  const schedule = useScheduleAction([offering])
  const mayPay = may('money', offering.id) && offering.token_address !== null
  return (
    <>
      <TableCard
        title={t('nav.distributions')}
        actions={mayPay ? [draft] : []}
        list={list}
        columns={columns}
        hidden="offering"
        onOpen={open}
        emptyText={offering.token_address === null ? t('distributions.noToken') : t('distributions.emptyOffering')}
      />
      <Card title={t('schedules.title')} actions={mayPay ? [schedule] : []}>
        <SchedulesTable offering={offering} />
      </Card>
    </>
  )
}
