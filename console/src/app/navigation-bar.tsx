import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { countText, timeZoneName } from '../text/format.ts'
import { screenOfKind } from '../work/work-kinds.ts'
import { workQuery } from '../work/work-query.ts'
import { navigation } from './navigation.ts'

export function NavigationBar({ onNavigate }: { onNavigate: () => void }) {
  const { t } = useTranslation()
  // Counts of open work per screen. The navigation works without them.
  const { data: work } = useQuery(workQuery)
  return (
    <nav className="nav" aria-label={t('shell.navigation')}>
      {navigation.map((group) => (
        <div className="nav-group" key={group[0]?.name}>
          {group.map(({ to, name, icon: Icon }) => {
            const kinds = work?.filter(({ kind }) => screenOfKind(kind) === to) ?? []
            const value = kinds.reduce((sum, { count }) => sum + count, 0)
            const isExact = kinds.every(({ is_count_exact: isCounted }) => isCounted)
            return (
              <Link
                key={name}
                to={to}
                className="nav-link"
                activeOptions={{ exact: to === '/', includeSearch: false }}
                activeProps={{ className: 'active' }}
                onClick={onNavigate}
              >
                <Icon size={17} stroke={1.6} />
                {t(`nav.${name}`)}
                {value > 0 && <span className="nav-count">{countText({ value, isExact })}</span>}
              </Link>
            )
          })}
        </div>
      ))}
      <p className="small muted" style={{ padding: '0 12px' }}>
        {t('shell.timeZone', { zone: timeZoneName() })}
      </p>
    </nav>
  )
}
