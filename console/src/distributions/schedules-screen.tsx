import { useTranslation } from 'react-i18next'
import { usePayableOfferings } from '../offerings/use-offerings.ts'
import { Actions } from '../parts/actions.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { DistributionTabs } from './distribution-tabs.tsx'
import { useScheduleAction } from './schedule-draft.tsx'
import { SchedulesTable } from './schedules-table.tsx'

/** Schedules that draft the coupons of bonds automatically. */
export function SchedulesScreen() {
  const { t } = useTranslation()
  const offerings = usePayableOfferings()
  const schedule = useScheduleAction(offerings)
  return (
    <div className="page page-list">
      <PageTitle title={t('schedules.title')}>
        <Actions actions={offerings.length > 0 ? [schedule] : []} />
      </PageTitle>
      <DistributionTabs />
      <SchedulesTable />
    </div>
  )
}
