import { useTranslation } from 'react-i18next'
import { ScreenTabs } from '../parts/screen-tabs.tsx'

/** Tabs for distributions and for the schedules that draft them. */
export function DistributionTabs() {
  const { t } = useTranslation()
  return (
    <ScreenTabs
      label={t('nav.distributions')}
      tabs={[
        { to: '/distributions', text: t('nav.distributions') },
        { to: '/distributions/schedules', text: t('schedules.title') },
      ]}
    />
  )
}
