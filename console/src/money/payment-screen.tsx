import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useHistory } from '../audit/use-history.tsx'
import { BackLink } from '../parts/back-link.tsx'
import { Card } from '../parts/card.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { Money } from '../parts/money.tsx'
import { ObjectHeader } from '../parts/object-header.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { type Step, Steps } from '../parts/steps.tsx'
import { Time } from '../parts/time.tsx'
import { Timeline, type TimelineEntry } from '../parts/timeline.tsx'
import { DeleteNote } from '../timeline/delete-note.tsx'
import { useEntryText } from '../timeline/entry-text.ts'
import { NoteForm } from '../timeline/note-form.tsx'
import { useMatchingActions } from './matching-actions.ts'
import { PayerIban } from './payer-iban.tsx'

type Payment = Schemas['UnassignedPaymentWithParts']

const route = getRouteApi('/money/payments/$paymentId')

export function PaymentScreen() {
  const { paymentId } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['unassigned-payment', paymentId],
    queryFn: () => api.get('/unassigned-payments/{paymentId}', { path: { paymentId } }),
  })
  return (
    <div className="page">
      {error && !data && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && <PaymentPage payment={data} />}
    </div>
  )
}

/** Page of a payment that arrived without a known order: what became of it, and what can still be done. */
function PaymentPage({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const isOpen = payment.status === 'open'
  const entries = useEntries(payment.id)
  const actions = useMatchingActions({ ...payment, order: null }, {})
  return (
    <>
      <ObjectHeader
        breadcrumb={<BackLink to="/money/matching" text={t('nav.matching')} />}
        title={payment.payer_name ?? t('matching.unknownPayer')}
        state={<State state={payment.status} label={t(`payment.states.${payment.status}`)} />}
        id={<Copied text={payment.id} />}
        actions={isOpen ? actions : []}
        keyFacts={{
          [t('orders.amount')]: <Money amount={payment.amount} currency={payment.currency} />,
          [t('payment.left')]: <Money amount={payment.unassigned_amount} currency={payment.currency} />,
        }}
      />
      <section className="card">
        <Steps steps={stepsOf(payment, t)} label={t('payment.progress')} />
      </section>
      {isOpen && <OpenPayment payment={payment} />}
      <div className="columns">
        <div className="stack">
          <Parts payment={payment} />
          <section className="card" aria-label={t('timeline.title')}>
            <h2>{t('timeline.title')}</h2>
            <NoteForm subject={{ type: 'unassigned_payment', id: payment.id }} />
            <Timeline entries={entries} />
          </section>
        </div>
        <PaymentFacts payment={payment} />
      </div>
    </>
  )
}

function stepsOf(
  { status, received_at: receivedAt, created_at: createdAt, changed_at: changedAt }: Payment,
  t: TFunction,
): Step[] {
  const isOpen = status === 'open'
  return [
    { name: t('payment.received'), state: 'done', at: receivedAt },
    { name: t('payment.states.open'), state: isOpen ? 'current' : 'done', at: createdAt },
    isOpen
      ? { name: t('payment.decided'), state: 'open' }
      : { name: t(`payment.states.${status}`), state: 'done', at: changedAt },
  ]
}

function OpenPayment({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  return (
    <section className="card card-attention spread">
      <div>
        <div>{payment.note ?? t('payment.openText')}</div>
        {payment.suggestions.length > 0 && (
          <div className="small muted">{t('payment.suggestions', { count: payment.suggestions.length })}</div>
        )}
      </div>
      <Link className="button-link nowrap" to="/money/matching" search={{ payment: payment.id }}>
        {t('payment.match')}
      </Link>
    </section>
  )
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  return (
    <section className="card">
      <Facts
        facts={{
          [t('matching.payer')]: payment.payer_name,
          IBAN: <PayerIban {...payment} />,
          [t('matching.text')]: payment.text,
          [t('orders.from')]: payment.provider.replaceAll('_', ' '),
          [t('orders.bankReference')]: <span className="mono">{payment.provider_reference}</span>,
          [t('orders.receivedAt')]: <Time time={payment.received_at} isBooking />,
          [t('parts.changed')]: <Time time={payment.changed_at} />,
          [t('parts.reason')]: payment.dismissal_reason ?? undefined,
        }}
      />
    </section>
  )
}

/** Lists where the money went. */
function Parts({ payment: { parts, currency } }: { payment: Payment }) {
  const { t } = useTranslation()
  if (parts.length === 0) return null
  return (
    <Card title={t('payment.parts')}>
      <ul className="bulk-results">
        {parts.map(
          ({ order_id: orderId, refund_id: refundId, payment_id: paymentId, amount, is_reversed: isReversed }) => (
            <li key={paymentId ?? refundId} className="spread">
              <span className="line">
                {orderId && (
                  <Link className="link" to="/orders/$orderId" params={{ orderId }}>
                    {t('payment.toOrder')}
                  </Link>
                )}
                {refundId && (
                  <Link className="link" to="/money/refunds" search={{ refund: refundId }}>
                    {t('payment.toPayer')}
                  </Link>
                )}
                {isReversed && <State state="payment_reversed" label={t('payment.reversed')} />}
              </span>
              <Money amount={amount} currency={currency} />
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}

/** Merges audit records and notes, newest first, because the API has no timeline of payments. */
function useEntries(paymentId: string): TimelineEntry[] {
  const textOf = useEntryText()
  const records = useHistory(paymentId)
  const { data } = useQuery({
    queryKey: ['timeline', paymentId],
    queryFn: () => api.get('/notes', { query: { subject_id: paymentId, limit: 100 } }),
  })
  const notes = (data?.results ?? []).map((note) => ({
    id: note.id,
    at: note.created_at,
    text: textOf({ source: 'note', type: 'note' }),
    ...(note.author_name !== null && { who: note.author_name }),
    body: (
      <div className="note">
        <span>{note.text}</span>
        <DeleteNote noteId={note.id} authorId={note.author_id} />
      </div>
    ),
  }))
  const named = records.map((record) => ({ ...record, text: textOf({ source: 'audit', type: record.text }) }))
  return [...named, ...notes].toSorted((one, other) => other.at.localeCompare(one.at))
}
