import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Copied } from '../parts/copied.tsx'
import { ObjectHeader } from '../parts/object-header.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { Units } from '../parts/units.tsx'
import { useOfferingActions } from './offering-actions.ts'
import { OfferingTabs } from './offering-tabs.tsx'

type Offering = Schemas['OperatorOffering']

const route = getRouteApi('/offerings/$offeringId')

// Each tab loads when it is shown.
const OfferingSale = lazy(async () => ({ default: (await import('./offering-sale.tsx')).OfferingSale }))
const OfferingDistributions = lazy(async () => ({
  default: (await import('../distributions/offering-distributions.tsx')).OfferingDistributions,
}))
const OfferingRules = lazy(async () => ({
  default: (await import('../eligibility/offering-rules.tsx')).OfferingRules,
}))

export function OfferingScreen() {
  const { offeringId } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['offering', offeringId],
    queryFn: () => api.get('/offerings/{offeringId}', { path: { offeringId } }),
  })
  return (
    <div className="page">
      {error && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && <OfferingPage offering={data} />}
    </div>
  )
}

function OfferingPage({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  const actions = useOfferingActions(offering)
  const { tab } = route.useSearch()
  const { decimals, symbol } = offering
  return (
    <>
      <ObjectHeader
        breadcrumb={<BackLink to="/offerings" text={t('nav.offerings')} />}
        title={offering.name}
        state={<State state={offering.status} />}
        id={<Copied text={offering.id} />}
        actions={actions}
        keyFacts={{
          [t('offerings.total')]: <Units units={offering.total_units} decimals={decimals} symbol={symbol} />,
          [t('offerings.available')]: <Units units={offering.available_units} decimals={decimals} symbol={symbol} />,
          [t('offerings.issued')]: <Units units={offering.issued_units} decimals={decimals} symbol={symbol} />,
        }}
      />
      {offering.minting_stopped !== null && (
        <section className="card card-failed">
          <strong>{t('offerings.stopped')}</strong>
          <div>{offering.minting_stopped}</div>
        </section>
      )}
      <OfferingTabs offeringId={offering.id} />
      <Suspense fallback={<span aria-busy />}>
        {tab === 'distributions' && <OfferingDistributions offering={offering} />}
        {tab === 'rules' && <OfferingRules offering={offering} />}
        {tab !== 'distributions' && tab !== 'rules' && <OfferingSale offering={offering} />}
      </Suspense>
    </>
  )
}
