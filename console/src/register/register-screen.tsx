import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { HoldersTable, useHolders } from '../offerings/holders.tsx'
import { Actions } from '../parts/actions.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { dayLabel } from '../text/format.ts'
import { dayEnd } from './day-end.ts'
import { useNewExtract } from './extract-action.ts'
import { RegisterChanges } from './register-changes.tsx'

type Offering = Schemas['OperatorOffering']

const route = getRouteApi('/register')
const HoldersChart = lazy(async () => ({ default: (await import('../offerings/holders-chart.tsx')).HoldersChart }))

/** Shows who owned how much on any day, and what changed between two days. */
export function RegisterScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const { data, error, refetch } = useQuery({
    queryKey: ['offerings', 'with token'],
    queryFn: () => api.get('/offerings', { query: { limit: 100 } }),
  })
  const offerings = data?.results.filter(({ token_address: token }) => token !== null) ?? []
  const offering = offerings.find(({ id }) => id === search.offering_id) ?? offerings[0]
  const today = new Date().toISOString().slice(0, 10)
  const setDay = (name: 'day' | 'from') => (event: { currentTarget: { value: string } }) =>
    setSearch({ [name]: event.currentTarget.value || undefined })
  return (
    <div className="page">
      <PageTitle title={t('nav.register')} />
      {error && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && !offering && <EmptyState text={t('register.none')} />}
      {offering && (
        <>
          <div className="line line-bottom">
            <NativeSelect
              size="xs"
              label={t('orders.offering')}
              data={offerings.map(({ id, name }) => ({ value: id, label: name }))}
              value={offering.id}
              onChange={(event) => setSearch({ offering_id: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label={t('register.asOf')}
              max={today}
              value={search.day ?? ''}
              onChange={setDay('day')}
            />
            <TextInput
              type="date"
              label={t('register.comparedWith')}
              max={search.day ?? today}
              value={search.from ?? ''}
              onChange={setDay('from')}
            />
          </div>
          <RegisterOfDay offering={offering} day={search.day} />
          {search.from && <RegisterChanges offering={offering} from={search.from} to={search.day} />}
        </>
      )}
    </div>
  )
}

function RegisterOfDay({ offering, day }: { offering: Offering; day: string | undefined }) {
  const { t } = useTranslation()
  const list = useHolders(offering, day ? dayEnd(day) : undefined)
  const extract = useNewExtract({ offering, day, holders: list.items })
  return (
    <section className="card">
      <div className="section-title">
        <div className="spread">
          <h2>{day ? t('register.onDay', { day: dayLabel(day) }) : t('register.now')}</h2>
          <Actions actions={[extract]} />
        </div>
        <p className="small muted">{t('register.finalized')}</p>
      </div>
      <div className={list.items.length > 0 ? 'with-chart' : undefined}>
        {list.items.length > 0 && (
          <Suspense fallback={<div style={{ height: 210 }} />}>
            <HoldersChart holders={list.items} offering={offering} />
          </Suspense>
        )}
        <HoldersTable list={list} offering={offering} isDetailed />
      </div>
    </section>
  )
}
