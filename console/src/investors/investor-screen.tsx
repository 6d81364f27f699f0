import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { fileBody } from '../documents/file-body.ts'
import { OrdersCard } from '../orders/orders-card.tsx'
import { BackLink } from '../parts/back-link.tsx'
import { Card } from '../parts/card.tsx'
import { Copied } from '../parts/copied.tsx'
import { ObjectHeader } from '../parts/object-header.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { type Step, Steps } from '../parts/steps.tsx'
import { useCorrections } from './correct-account.ts'
import { InvestorFacts } from './investor-facts.tsx'
import { InvestorWallets } from './investor-wallets.tsx'
import { usePersonalData } from './personal-data.ts'
import { useDecisions } from './use-decisions.ts'

type Account = Schemas['OperatorAccount']

// Below the fold of most screens, so they load after the page.
const Documents = lazy(async () => ({ default: (await import('../documents/documents.tsx')).Documents }))
const KycChecks = lazy(async () => ({ default: (await import('./kyc-checks.tsx')).KycChecks }))
const InvestorHoldings = lazy(async () => ({
  default: (await import('./investor-holdings.tsx')).InvestorHoldings,
}))
const ObjectTimeline = lazy(async () => ({ default: (await import('../timeline/object-timeline.tsx')).ObjectTimeline }))

const route = getRouteApi('/investors/$accountId')

export function InvestorScreen() {
  const { accountId } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['account', accountId],
    queryFn: () => api.get('/accounts/{accountId}', { path: { accountId } }),
  })
  return (
    <div className="page">
      {error && !data && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && <InvestorPage account={data} />}
    </div>
  )
}

export function nameOfAccount({ individual, company }: Account): string {
  return company?.name ?? `${individual?.firstName ?? ''} ${individual?.lastName ?? ''}`.trim()
}

function InvestorPage({ account }: { account: Account }) {
  const { t } = useTranslation()
  const may = useMay()
  const path = { accountId: account.id }
  return (
    <>
      <InvestorHeader account={account} />
      <section className="card">
        <Steps steps={stepsOf(account, t)} label={t('investors.progress')} />
      </section>
      <Findings findings={account.findings} />
      <div className="columns">
        <div className="stack">
          <Suspense fallback={<span aria-busy />}>
            <KycChecks accountId={account.id} />
          </Suspense>
          <OrdersCard
            filter={{ account_id: account.id }}
            hidden="investor,created,missing"
            emptyText={t('investors.noOrders')}
          />
          <InvestorWallets accountId={account.id} />
          {account.counts.benefiting_persons > 0 && <BenefitingPersons accountId={account.id} />}
          <Suspense>
            <InvestorHoldings accountId={account.id} />
            <Documents
              subjectId={account.id}
              fetchPage={(query) => api.get('/accounts/{accountId}/documents', { path, query })}
              upload={
                may('compliance') &&
                ((kind, file) =>
                  api.post('/accounts/{accountId}/documents', { path, query: { kind }, ...fileBody(file) }))
              }
            />
            <ObjectTimeline
              subject={{ type: 'account', id: account.id }}
              fetchPage={(query) => api.get('/accounts/{accountId}/timeline', { path, query })}
            />
          </Suspense>
        </div>
        <InvestorFacts account={account} />
      </div>
    </>
  )
}

function InvestorHeader({ account }: { account: Account }) {
  const { t } = useTranslation()
  const name = nameOfAccount(account)
  const changes = [...useDecisions(account, name), ...useCorrections(account)]
  const personal = usePersonalData(account, name)
  // An erased account leaves nothing to decide, correct or erase.
  const actions = account.erased_at === null ? [...changes, ...personal] : []
  return (
    <ObjectHeader
      breadcrumb={<BackLink to="/investors" text={t('nav.investors')} />}
      title={name}
      state={
        <>
          <State state={account.kyc.status} label={`KYC ${account.kyc.status}`} />
          {account.type === 'COMPANY' && <State state={account.kyb.status} label={`KYB ${account.kyb.status}`} />}
        </>
      }
      id={<Copied text={account.id} />}
      actions={actions}
      keyFacts={{
        [t('nav.orders')]: account.counts.orders,
        [t('investors.wallets')]: account.counts.wallets,
        [t('investors.transactions')]: account.counts.transactions,
      }}
    />
  )
}

/** Returns the steps that an investor must complete before receiving tokens. */
function stepsOf({ type, kyc, kyb, counts, created_at: createdAt }: Account, t: TFunction): Step[] {
  const check = (name: string, status: string): Step => ({
    name: `${name} ${status}`,
    state: status === 'APPROVED' ? 'done' : status === 'REJECTED' ? 'failed' : 'current',
  })
  const counted = (name: string, count: number): Step => ({ name, state: count > 0 ? 'done' : 'open' })
  return [
    { name: t('investors.registered'), state: 'done', at: createdAt },
    type === 'COMPANY' ? check('KYB', kyb.status) : check('KYC', kyc.status),
    ...(type === 'COMPANY' ? [counted(t('investors.benefiting'), counts.benefiting_persons)] : []),
    counted(t('investors.walletStep'), counts.wallets),
    counted(t('investors.orderStep'), counts.orders),
  ]
}

function Findings({ findings }: { findings: Account['findings'] }) {
  const { t } = useTranslation()
  if (findings.length === 0) return null
  return (
    <Card title={t('investors.findings', { count: findings.length })} className="card-attention">
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {findings.map(({ code, field, message }) => (
          <li key={`${code} ${field}`}>
            {message} <span className="small muted mono">{field}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function BenefitingPersons({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const { data = [] } = useQuery({
    queryKey: ['account', accountId, 'benefiting-persons'],
    queryFn: () => api.get('/accounts/{accountId}/benefiting-persons', { path: { accountId } }),
  })
  return (
    <Card title={t('investors.benefiting')}>
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {data.map(({ id, firstname, lastname, street, zip, city, country }) => (
          <li key={id}>
            {firstname} {lastname}, {street}, {zip} {city}, {country}
          </li>
        ))}
      </ul>
    </Card>
  )
}
