import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Tabs of an offering's page. */
export function OfferingTabs({ offeringId }: { offeringId: string }) {
  const { t } = useTranslation()
  const shared = {
    to: '/offerings/$offeringId',
    params: { offeringId },
    activeProps: { className: 'active' },
    activeOptions: { exact: true, includeSearch: true },
  } as const
  return (
    <nav className="tabs" aria-label={t('offerings.tabs')}>
      <Link {...shared} search={{}}>
        {t('offerings.overview')}
      </Link>
      <Link {...shared} search={{ tab: 'distributions' }}>
        {t('nav.distributions')}
      </Link>
      <Link {...shared} search={{ tab: 'rules' }}>
        {t('offerings.rules')}
      </Link>
    </nav>
  )
}
