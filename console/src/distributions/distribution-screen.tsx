import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useHistory } from '../audit/use-history.tsx'
import type { Action } from '../parts/actions.tsx'
import { BackLink } from '../parts/back-link.tsx'
import { Card } from '../parts/card.tsx'
import { Copied } from '../parts/copied.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Money } from '../parts/money.tsx'
import { ObjectHeader } from '../parts/object-header.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { Steps } from '../parts/steps.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { dayLabel } from '../text/format.ts'
import { useDistributionActions } from './distribution-actions.tsx'
import { DistributionState } from './distribution-columns.tsx'
import { DistributionFacts } from './distribution-facts.tsx'
import { DistributionPreview } from './distribution-preview.tsx'
import { distributionSteps } from './distribution-steps.ts'
import { useProposal, WaitsFor } from './waits-for.tsx'

type Preview = Schemas['DistributionPreview']

// Parts below the preview, which load after it.
const Entitlements = lazy(async () => ({ default: (await import('./entitlements.tsx')).Entitlements }))
const DistributionFiles = lazy(async () => ({ default: (await import('./distribution-files.tsx')).DistributionFiles }))

const route = getRouteApi('/distributions/$distributionId')
/** Statuses in which a distribution may have files for the bank. */
const filed: readonly Preview['status'][] = ['APPROVED', 'PAYING', 'CLOSED']
const workerMs = 2_000

/** Returns true if the screen must poll: calculating, writing files and finalizing a burn cause no event. */
function waitsForWorker({ status, is_filing: isFiling, burns }: Preview): boolean {
  return status === 'CALCULATING' || isFiling || (status === 'PAYING' && burns.waiting > 0)
}

export function DistributionScreen() {
  const { distributionId } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['distribution', distributionId],
    queryFn: () => api.get('/distributions/{distributionId}', { path: { distributionId } }),
    refetchInterval: ({ state: { data: last } }) => (last && waitsForWorker(last) ? workerMs : false),
  })
  return (
    <div className="page">
      {error && !data && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && <DistributionPage distribution={data} />}
    </div>
  )
}

function DistributionPage({ distribution }: { distribution: Preview }) {
  const { t } = useTranslation()
  const { id, offering_id: offeringId, status } = distribution
  const { data: offering } = useQuery({
    queryKey: ['offering', offeringId],
    queryFn: () => api.get('/offerings/{offeringId}', { path: { offeringId } }),
  })
  const proposal = useProposal(distribution)
  const actions = useDistributionActions(distribution, offering, proposal)
  const history = useHistory(id)
  return (
    <>
      <DistributionHeader distribution={distribution} actions={actions} />
      <section className="card">
        <Steps steps={distributionSteps(distribution)} label={t('distributions.progress')} />
      </section>
      <WaitsFor distribution={distribution} proposal={proposal} />
      <div className="columns">
        <div className="stack">
          <Suspense fallback={<span aria-busy />}>
            {distribution.files > 0 && filed.includes(status) && <DistributionFiles distribution={distribution} />}
          </Suspense>
          {isCalculated(distribution) ? (
            <DistributionPreview distribution={distribution} offering={offering} />
          ) : (
            <section className="card">
              <EmptyState text={t(`distributions.next.${status}` as 'distributions.next.DRAFT')} />
            </section>
          )}
        </div>
        <DistributionFacts distribution={distribution} offering={offering} />
      </div>
      <Suspense fallback={<span aria-busy />}>
        {isCalculated(distribution) && <Entitlements distribution={distribution} offering={offering} />}
      </Suspense>
      <Card title={t('parts.history')}>
        <Timeline entries={history} />
      </Card>
    </>
  )
}

function DistributionHeader({ distribution, actions }: { distribution: Preview; actions: readonly Action[] }) {
  const { t } = useTranslation()
  const { id, offering_id: offeringId, kind, status, currency, amount } = distribution
  return (
    <ObjectHeader
      breadcrumb={
        <>
          <BackLink to="/distributions" text={t('nav.distributions')} />
          {' / '}
          <Link className="link" to="/offerings/$offeringId" params={{ offeringId }} search={{ tab: 'distributions' }}>
            {distribution.offering_name}
          </Link>
        </>
      }
      title={t('distributions.title', {
        kind: t(`distributions.kinds.${kind}`),
        name: distribution.offering_name,
      })}
      state={<DistributionState status={status} />}
      id={<Copied text={id} />}
      actions={actions}
      keyFacts={{
        [t('distributions.total')]: amount === null ? '–' : <Money amount={amount} currency={currency} />,
        [t('offerings.holders')]: isCalculated(distribution) ? distribution.holders : '–',
        [t('distributions.payOn')]: dayLabel(distribution.pay_on),
      }}
    />
  )
}

function isCalculated({ calculated_at: at, status }: Preview): boolean {
  return at !== null && status !== 'CANCELLED'
}
