import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** What is paid, and what drafts it by itself. */
export function DistributionTabs() {
  const { t } = useTranslation()
  return (
    <nav className="tabs" aria-label={t('nav.distributions')}>
      <Link
        to="/distributions"
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ className: 'active' }}
      >
        {t('nav.distributions')}
      </Link>
      <Link to="/distributions/schedules" activeProps={{ className: 'active' }}>
        {t('schedules.title')}
      </Link>
    </nav>
  )
}
