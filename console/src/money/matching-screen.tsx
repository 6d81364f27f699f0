import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { type List, useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { useKeys } from '../parts/keys.ts'
import { Money } from '../parts/money.tsx'
import { NewRows } from '../parts/new-rows.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { Time } from '../parts/time.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { BulkAssign } from './bulk-assign.tsx'
import { Candidates } from './candidates.tsx'

type Unassigned = Schemas['ListedUnassignedPayment']

const route = getRouteApi('/money/matching')

/** Payments without an order on the left, candidate orders on the right. */
export function MatchingScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const may = useMay()
  const list = useList<Unassigned>(['unassigned-payments', 'open'], (page) =>
    api.get('/unassigned-payments', { query: { status: ['open'], direction: 'asc', ...page } }),
  )
  const { items } = list
  const index = useChosenIndex(items, search.payment)
  const chosen = items[index]
  const keys = useMemo(() => {
    const move = (by: number) => {
      const next = items[Math.max(0, Math.min(items.length - 1, index + by))]
      if (next) setSearch({ payment: next.id })
    }
    return { j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1) }
  }, [items, index, setSearch])
  useKeys(keys)
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.matching')} count={list.count}>
        <span className="small muted key-hints">
          <kbd>j</kbd> <kbd>k</kbd> {t('matching.keyMove')} <kbd>Enter</kbd> {t('matching.keyAssign')} <kbd>s</kbd>{' '}
          {t('matching.keySplit')} <kbd>r</kbd> {t('matching.keyReturn')} <kbd>f</kbd> {t('matching.keyFind')}
        </span>
        {may('money') && items.length > 1 && <BulkAssign payments={items} />}
      </PageTitle>
      {list.problem && items.length === 0 && <ProblemCard problem={list.problem} retry={list.reload} />}
      {!list.isLoading && !list.problem && !chosen && (
        <EmptyState text={t('matching.empty')}>
          <Link className="link" to="/money/statements">
            {t('statements.import')}
          </Link>
        </EmptyState>
      )}
      {chosen && (
        <div className="halves matching" style={{ flex: 1 }}>
          <PaymentList list={list} chosen={chosen} onChoose={({ id }) => setSearch({ payment: id })} />
          <Candidates key={chosen.id} payment={chosen} />
        </div>
      )}
    </div>
  )
}

interface PaymentListProps {
  readonly list: List<Unassigned>
  readonly chosen: Unassigned
  readonly onChoose: (payment: Unassigned) => void
}

function PaymentList({ list, chosen, onChoose }: PaymentListProps) {
  const { t } = useTranslation()
  return (
    <nav className="pane" aria-label={t('matching.payments')}>
      <NewRows changes={list.changes} />
      {list.items.map((payment) => (
        <button
          key={payment.id}
          type="button"
          className={`pane-item${list.changes?.goneIds.has(payment.id) ? ' gone' : ''}`}
          aria-current={payment === chosen}
          onClick={() => onChoose(payment)}
        >
          <div className="spread">
            <strong className="cut">{payment.payer_name ?? t('matching.unknownPayer')}</strong>
            <Money amount={payment.unassigned_amount} currency={payment.currency} />
          </div>
          <div className="spread small muted">
            <span className="cut">{payment.text ?? payment.provider_reference}</span>
            <Time time={payment.received_at} isRelative isBooking />
          </div>
        </button>
      ))}
    </nav>
  )
}

/** Returns the index of the payment in the address or, once that one has left the list, of the next. */
function useChosenIndex(items: readonly Unassigned[], paymentId: string | undefined): number {
  const last = useRef(0)
  const found = items.findIndex(({ id }) => id === paymentId)
  const index = found >= 0 ? found : Math.max(0, Math.min(last.current, items.length - 1))
  useEffect(() => {
    last.current = index
  }, [index])
  return index
}
