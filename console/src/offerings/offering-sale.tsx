import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { OrdersCard } from '../orders/orders-card.tsx'
import { Card } from '../parts/card.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { Money } from '../parts/money.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'
import { HoldersTable, useHolders } from './holders.tsx'
import { SoftCap } from './soft-cap.tsx'
import { Sold } from './sold.tsx'

type Offering = Schemas['OperatorOffering']

/** Charts are larger than the rest of the console combined, so they load after the page. */
const HoldersChart = lazy(async () => ({ default: (await import('./holders-chart.tsx')).HoldersChart }))

// Below the fold, so they load after the page.
const LockUp = lazy(async () => ({ default: (await import('./lock-up.tsx')).LockUp }))
const OfferingDocuments = lazy(async () => ({ default: (await import('./offering-documents.tsx')).OfferingDocuments }))
const OfferingHistory = lazy(async () => ({ default: (await import('./offering-history.tsx')).OfferingHistory }))
const OfferingOverview = lazy(async () => ({ default: (await import('./offering-overview.tsx')).OfferingOverview }))
const Reconciliation = lazy(async () => ({ default: (await import('./reconciliation.tsx')).Reconciliation }))
const RegisterDetails = lazy(async () => ({ default: (await import('./register-details.tsx')).RegisterDetails }))
const TermsHistory = lazy(async () => ({ default: (await import('./terms-history.tsx')).TermsHistory }))

/** The sale of an offering: money, orders, holders, terms and history. */
export function OfferingSale({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  const holders = useHolders(offering)
  return (
    <div className="columns">
      <div className="stack">
        <Card title={t('offerings.sold')}>
          <Sold offering={offering} />
        </Card>
        <SoftCap offering={offering} />
        <Suspense fallback={<span aria-busy />}>
          {offering.status !== 'DRAFT' && <OfferingOverview offering={offering} />}
        </Suspense>
        {offering.status !== 'DRAFT' && (
          <OrdersCard
            filter={{ offering_id: offering.id }}
            hidden="offering,units,created"
            emptyText={t('offerings.noOrders')}
          />
        )}
        {offering.token_address && (
          <section className="card">
            <h2>
              <Link className="link" to="/register" search={{ offering_id: offering.id }}>
                {t('offerings.holders')}
              </Link>
            </h2>
            <div className={holders.items.length > 0 ? 'halves' : undefined}>
              <Suspense fallback={<div style={{ height: 220 }} />}>
                {holders.items.length > 0 && <HoldersChart holders={holders.items} offering={offering} />}
              </Suspense>
              <HoldersTable list={holders} offering={offering} />
            </div>
          </section>
        )}
        <Suspense fallback={<span aria-busy />}>
          <TermsHistory offeringId={offering.id} />
          <OfferingDocuments offeringId={offering.id} />
          <OfferingHistory offeringId={offering.id} />
        </Suspense>
      </div>
      <div className="stack">
        <Terms offering={offering} />
        <Suspense fallback={<span aria-busy />}>
          <LockUp offering={offering} />
          <RegisterDetails offering={offering} />
          {offering.token_address && <Reconciliation offering={offering} />}
        </Suspense>
      </div>
    </div>
  )
}

function Terms({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  const may = useMay()
  const { decimals, symbol, currency } = offering
  const units = (value: string | null) => value && <Units units={value} decimals={decimals} symbol={symbol} />
  return (
    <Card
      title={t('offerings.terms')}
      aside={
        offering.status === 'DRAFT' &&
        may('offerings', offering.id) && (
          <Link className="link" to="/offerings/$offeringId/edit" params={{ offeringId: offering.id }}>
            {t('offerings.edit')}
          </Link>
        )
      }
    >
      <Facts
        facts={{
          [t('offerings.type')]: offering.type.replaceAll('_', ' '),
          [t('offerings.price')]: <Money amount={offering.price_per_token} currency={currency} />,
          [t('offerings.min')]: units(offering.min_units),
          [t('offerings.max')]: units(offering.max_units),
          [t('offerings.opens')]: <Time time={offering.opens_at} />,
          [t('offerings.closes')]: <Time time={offering.closes_at} />,
          [t('offerings.term')]: t('offerings.days', { count: offering.payment_term_days }),
          [t('offerings.approval')]: offering.approval_required ? t('parts.yes') : t('parts.no'),
          [t('offerings.acceptance')]: offering.acceptance_required ? t('parts.yes') : t('parts.no'),
          [t('offerings.blockchain')]: offering.blockchain,
          [t('offerings.token')]: offering.token_address && <Copied text={offering.token_address} />,
          [t('offerings.collection')]: offering.collection_account && (
            <span className="mono">{offering.collection_account.iban}</span>
          ),
        }}
      />
    </Card>
  )
}
