import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { Actions } from '../parts/actions.tsx'
import { DataTable } from '../parts/data-table.tsx'
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
      <section className="card">
        <div className="spread section-title">
          <h2>{t('nav.distributions')}</h2>
          <Actions actions={mayPay ? [draft] : []} isCompact />
        </div>
        <DataTable
          label={t('nav.distributions')}
          list={list}
          columns={columns}
          hidden="offering"
          isShort
          onOpen={open}
          emptyText={offering.token_address === null ? t('distributions.noToken') : t('distributions.emptyOffering')}
        />
      </section>
      <section className="card">
        <div className="spread section-title">
          <h2>{t('schedules.title')}</h2>
          <Actions actions={mayPay ? [schedule] : []} isCompact />
        </div>
        <SchedulesTable offering={offering} />
      </section>
    </>
  )
}
