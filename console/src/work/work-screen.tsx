import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Money } from '../parts/money.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { countText, relativeText } from '../text/format.ts'
import { kindsOfGroup, workGroups } from './work-kinds.ts'
import { workQuery } from './work-query.ts'

type Summary = Schemas['WorkSummary']

/** Work that waits for the person, by group, and one line with the kinds that are done. */
export function WorkScreen() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(workQuery)
  const done = data?.filter(({ count }) => count === 0).map(({ kind }) => t(`work.kinds.${kind}`)) ?? []
  return (
    <div className="page">
      <PageTitle title={t('nav.work')} />
      {error && !data && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && done.length === data.length && <NothingWaits />}
      {workGroups.map((group) => (
        <WorkGroup
          key={group}
          title={t(`work.groups.${group}`)}
          summaries={kindsOfGroup(group).flatMap(
            (kind) => data?.find((one) => one.kind === kind && one.count > 0) ?? [],
          )}
        />
      ))}
      {done.length > 0 && <p className="small muted work-done">{t('work.none', { kinds: done.join(' · ') })}</p>}
    </div>
  )
}

function WorkGroup({ title, summaries }: { title: string; summaries: readonly Summary[] }) {
  if (summaries.length === 0) return null
  return (
    <section className="work-group">
      <h2>{title}</h2>
      <div className="tiles">
        {summaries.map((summary) => (
          <WorkTile key={summary.kind} summary={summary} />
        ))}
      </div>
    </section>
  )
}

function WorkTile({ summary: { kind, count, is_count_exact: isExact, sums, oldest } }: { summary: Summary }) {
  const { t } = useTranslation()
  return (
    <Link to="/work/$kind" params={{ kind }} className="card tile">
      <span className="spread">
        <span className="figure">{countText({ value: count, isExact })}</span>
        {oldest && <span className="small muted">{t('work.oldest', { age: relativeText(oldest) })}</span>}
      </span>
      <span className="tile-name">{t(`work.kinds.${kind}`)}</span>
      {sums.map(({ amount, currency }) => (
        <Money key={currency} amount={amount} currency={currency} />
      ))}
    </Link>
  )
}

/** Suggests what a person with these duties could do instead of waiting. */
function NothingWaits() {
  const { t } = useTranslation()
  const may = useMay()
  const ways = [
    may('money') && { to: '/money/statements', label: t('statements.import') },
    may('offerings') && { to: '/offerings', label: t('nav.offerings') },
    may('compliance') && { to: '/investors', label: t('nav.investors') },
    { to: '/orders', label: t('nav.orders') },
  ].filter((way) => way !== false)
  return (
    <section className="card">
      <EmptyState text={t('work.nothing')}>
        <nav className="line" style={{ justifyContent: 'center', marginTop: 12 }} aria-label={t('work.next')}>
          {ways.map(({ to, label }) => (
            <Link key={to} to={to} className="button-link">
              {label}
            </Link>
          ))}
        </nav>
      </EmptyState>
    </section>
  )
}
