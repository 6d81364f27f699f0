import { Button, TextInput } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Actions } from '../parts/actions.tsx'
import { isZero, subtract } from '../parts/decimal.ts'
import { Facts } from '../parts/facts.tsx'
import { useKeys } from '../parts/keys.ts'
import { Money } from '../parts/money.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { useMatchingActions } from './matching-actions.ts'
import { PayerIban } from './payer-iban.tsx'
import { type Candidate, useCandidates } from './use-candidates.ts'
import { type Split, useSplit } from './use-split.ts'

type Unassigned = Schemas['ListedUnassignedPayment']

/** Candidate orders for a payment, with the first suggestion selected, and the difference that should be 0. */
export function Candidates({ payment }: { payment: Unassigned }) {
  const { t } = useTranslation()
  const may = useMay()
  const [wanted, setWanted] = useState('')
  const [chosenId, setChosenId] = useState<string>()
  const { candidates, isLoading, problem, reload } = useCandidates(payment, wanted)
  const split = useSplit(payment, candidates)
  const chosen = candidates.find(({ order }) => order.id === chosenId) ?? candidates[0]
  const mayActs = may('money')
  const { toggle } = split
  const search = useRef<HTMLInputElement>(null)
  useKeys(useMemo(() => ({ f: () => search.current?.focus(), ...(mayActs && { s: toggle }) }), [mayActs, toggle]))
  return (
    <section className="pane" aria-label={t('matching.candidates')} aria-busy={isLoading}>
      <div className="stack pane-top">
        <PaymentFacts payment={payment} />
        {problem && <ProblemCard problem={problem} retry={reload} />}
        <Difference payment={payment} chosen={chosen} split={split} isLoading={isLoading} />
        <SearchForm
          input={search}
          onSearch={(found) => {
            setChosenId(undefined)
            setWanted(found)
          }}
        >
          {mayActs && candidates.length > 0 && <SplitButton split={split} />}
        </SearchForm>
        {!isLoading && !problem && candidates.length === 0 && (
          <p className="muted">{wanted ? t('matching.notFound') : t('matching.noCandidates')}</p>
        )}
      </div>
      {candidates.map((candidate) =>
        split.isOn ? (
          <SplitRow key={candidate.order.id} candidate={candidate} split={split} />
        ) : (
          <button
            key={candidate.order.id}
            type="button"
            className="pane-item"
            aria-current={candidate === chosen}
            onClick={() => setChosenId(candidate.order.id)}
          >
            <CandidateText candidate={candidate} />
          </button>
        ),
      )}
    </section>
  )
}

interface SearchFormProps {
  /** Lets a key of the page move the focus to the field. */
  readonly input: RefObject<HTMLInputElement | null>
  readonly onSearch: (text: string) => void
  /** Buttons beside the field. */
  readonly children: ReactNode
}

function SearchForm({ input, onSearch, children }: SearchFormProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  return (
    <form
      className="line"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
        // The next Enter then assigns the order that was found.
        input.current?.blur()
      }}
    >
      <TextInput
        ref={input}
        aria-label={t('matching.find')}
        placeholder={t('matching.find')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        style={{ flex: 1 }}
      />
      <Button type="submit" variant="default">
        {t('matching.search')}
      </Button>
      {children}
    </form>
  )
}

function SplitButton({ split }: { split: Split }) {
  const { t } = useTranslation()
  return (
    <Button
      variant={split.isOn ? 'light' : 'default'}
      aria-pressed={split.isOn}
      leftSection={<IconArrowsSplit2 size={14} />}
      onClick={split.toggle}
    >
      {t('matching.splitOver')}
    </Button>
  )
}

function CandidateText({ candidate: { order, reasons } }: { candidate: Candidate }) {
  return (
    <>
      <div className="spread">
        <strong className="cut">{order.account.full_name}</strong>
        <Money amount={subtract(order.total_amount, order.paid_amount)} currency={order.currency} />
      </div>
      <div className="line small">
        <span className="mono">{order.payment_reference}</span>
        <State state={order.status} />
        {reasons.map((reason) => (
          <span key={reason} className="reason-chip">
            {reason}
          </span>
        ))}
      </div>
    </>
  )
}

function SplitRow({ candidate, split }: { candidate: Candidate; split: Split }) {
  const { t } = useTranslation()
  const { order } = candidate
  return (
    <div className="pane-item spread">
      <div style={{ flex: 1, minWidth: 0 }}>
        <CandidateText candidate={candidate} />
      </div>
      <TextInput
        aria-label={t('matching.partFor', { reference: order.payment_reference })}
        placeholder="0.00"
        inputMode="decimal"
        w={110}
        value={split.amountOf(order.id)}
        error={split.isWrong(order.id)}
        onChange={(event) => split.setAmount(order.id, event.currentTarget.value)}
      />
    </div>
  )
}

function PaymentFacts({ payment }: { payment: Unassigned }) {
  const { t } = useTranslation()
  return (
    <Facts
      facts={{
        [t('matching.payer')]: (
          <Link className="link" to="/money/payments/$paymentId" params={{ paymentId: payment.id }}>
            {payment.payer_name ?? t('matching.unknownPayer')}
          </Link>
        ),
        IBAN: <PayerIban {...payment} />,
        [t('matching.text')]: payment.text,
        [t('orders.receivedAt')]: <Time time={payment.received_at} isBooking />,
        [t('matching.note')]: payment.note ?? undefined,
      }}
    />
  )
}

interface DifferenceProps {
  readonly payment: Unassigned
  readonly chosen: Candidate | undefined
  readonly split: Split
  /** True while candidates are still loading. */
  readonly isLoading: boolean
}

/** Payment minus the order's outstanding amount, or minus the parts, in large figures. Enter assigns. */
function Difference({ payment, chosen, split, isLoading }: DifferenceProps) {
  const { t } = useTranslation()
  const order = split.isOn ? undefined : chosen?.order
  const actions = useMatchingActions(payment, split.isOn ? { parts: split.parts } : { order })
  const missing = order && subtract(order.total_amount, order.paid_amount)
  const difference = split.isOn
    ? split.rest
    : missing !== undefined && order?.currency === payment.currency
      ? subtract(payment.unassigned_amount, missing)
      : undefined
  const isEven = difference !== undefined && isZero(difference)
  return (
    <div className={`difference${isEven ? ' difference-even' : ''}`}>
      <div className="spread">
        <Amount label={t('matching.payment')} amount={payment.unassigned_amount} currency={payment.currency} />
        <span className="figure muted">−</span>
        <Amount
          label={split.isOn ? t('matching.parts') : t('matching.missing')}
          amount={split.isOn ? split.sum : missing}
          currency={payment.currency}
        />
        <span className="figure muted">=</span>
        <Amount
          label={t('matching.difference')}
          amount={difference}
          currency={payment.currency}
          tone={isEven ? 'done' : 'attention'}
        />
      </div>
      <div className="spread">
        <span className="small">{explanation()}</span>
        <Actions
          actions={isLoading ? [] : actions}
          keys={{ Enter: split.isOn ? 'split' : 'assign', r: 'return', d: 'dismiss' }}
        />
      </div>
    </div>
  )

  function explanation(): string {
    if (isLoading) return t('matching.searching')
    if (difference === undefined) return t('matching.noOrder')
    const isNegative = difference.startsWith('-')
    if (isZero(difference)) return split.isOn ? t('matching.splitEven') : t('matching.even')
    if (split.isOn) return isNegative ? t('matching.tooMuchSplit') : t('matching.restStays')
    return isNegative ? t('matching.staysShort') : t('matching.goesBack')
  }
}

interface AmountProps {
  readonly label: string
  readonly amount: string | undefined
  readonly currency: string
  readonly tone?: 'done' | 'attention'
}

function Amount({ label, amount, currency, tone }: AmountProps) {
  return (
    <div>
      <div className="small muted">{label}</div>
      <div className={`figure${tone ? ` tone-${tone}` : ''}`}>
        {amount === undefined ? '–' : <Money amount={amount} currency={currency} />}
      </div>
    </div>
  )
}
