import { useTranslation } from 'react-i18next'
import { ScreenTabs } from '../parts/screen-tabs.tsx'

/** What is paid, and what drafts it by itself. */
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
