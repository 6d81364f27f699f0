import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { localTime } from '../offerings/draft.ts'
import type { Action } from '../parts/actions.tsx'
import { isZero } from '../parts/decimal.ts'
import type { ActionField } from '../parts/field-input.tsx'
import { moneyText } from '../parts/money-text.ts'
import { dayLabel, timeText } from '../text/format.ts'
import {
  accountOf,
  amountAtRate,
  distributionKinds,
  termsOf,
  type Values,
  withholdingOf,
  withholdingText,
} from './distribution-terms.ts'

type Offering = Schemas['OperatorOffering']
type Distribution = Schemas['Distribution']

/** Drafts a distribution of one of the offerings. A draft pays nothing. */
export function useDraftAction(offerings: readonly Offering[], onDone: (drafted: Distribution) => void): Action {
  const { t, i18n } = useTranslation()
  const [only] = offerings
  const initial: Values = {
    kind: 'COUPON',
    basis: 'rate',
    ...(only && offerings.length === 1 && { offering_id: only.id, ...accountOf(only) }),
  }
  const chosen = (values: Values) => offerings.find(({ id }) => id === values['offering_id'])
  return {
    id: 'draft',
    label: t('distributions.draft'),
    consequence: t('distributions.draftText'),
    isWide: true,
    fields: [...(offerings.length === 1 ? [] : [offeringField(offerings, t)]), ...fieldsOf(initial, t)],
    derived: (changed, values) => {
      const offering = changed === 'offering_id' ? chosen(values) : undefined
      return offering ? accountOf(offering) : {}
    },
    preview: (values) => (
      <Consequence values={values} offering={chosen({ ...initial, ...values })} language={i18n.language} />
    ),
    run: (key, values) =>
      api.post('/offerings/{offeringId}/distributions', {
        path: { offeringId: values['offering_id'] ?? only?.id ?? '' },
        key,
        body: termsOf(values),
      }),
    done: t('distributions.drafted'),
    onDone: (result) => onDone(result as Distribution),
  }
}

/** Changes the terms, which turns the distribution back into a draft. */
export function useChangeAction(distribution: Distribution, offering: Offering | undefined): Action {
  const { t, i18n } = useTranslation()
  const { id, status } = distribution
  return {
    id: 'change',
    label: t('distributions.change'),
    consequence: status === 'DRAFT' ? t('distributions.changeDraftText') : t('distributions.changeText', { status }),
    isWide: true,
    fields: fieldsOf(valuesOf(distribution), t),
    preview: (values) => <Consequence values={values} offering={offering} language={i18n.language} />,
    run: (key, values) =>
      api.patch('/distributions/{distributionId}', { path: { distributionId: id }, key, body: termsOf(values) }),
    done: t('distributions.changed'),
  }
}

export function offeringField(offerings: readonly Offering[], t: TFunction): ActionField {
  return {
    name: 'offering_id',
    label: t('orders.offering'),
    kind: 'choice',
    options: offerings.map(({ id, name }) => ({ value: id, label: name })),
    initial: '',
  }
}

/** Fields for the paying account and the tax to withhold. */
export function payerFields(initial: Values, t: TFunction): ActionField[] {
  const text = (name: 'account_holder' | 'iban' | 'bic', isOptional = false): ActionField => ({
    name,
    label: t(`investors.correct.${name}`),
    kind: 'text',
    initial: initial[name] ?? '',
    isOptional,
  })
  return [
    text('account_holder'),
    { ...text('iban'), hint: t('distributions.ibanHint') },
    text('bic', true),
    {
      name: 'withholding',
      label: t('distributions.withholding'),
      kind: 'long',
      hint: t('distributions.withholdingHint'),
      initial: initial['withholding'] ?? '',
      isOptional: true,
    },
  ]
}

function fieldsOf(initial: Values, t: TFunction): ActionField[] {
  const field = (name: string, kind: ActionField['kind'], label: string, more: Partial<ActionField> = {}) => ({
    name,
    kind,
    label,
    initial: initial[name] ?? '',
    ...more,
  })
  return [
    field('kind', 'choice', t('distributions.kind'), {
      options: distributionKinds.map((value) => ({ value, label: t(`distributions.kinds.${value}`) })),
    }),
    field('currency', 'text', t('distributions.currency')),
    field('record_at', 'time', t('distributions.recordAt'), { hint: t('distributions.recordHint') }),
    field('pay_on', 'day', t('distributions.payOn'), { hint: t('distributions.payHint') }),
    field('basis', 'choice', t('distributions.basis'), {
      options: (['rate', 'total'] as const).map((value) => ({ value, label: t(`distributions.bases.${value}`) })),
    }),
    field('amount', 'text', t('distributions.amount'), { hint: t('distributions.amountHint') }),
    ...payerFields(initial, t),
  ]
}

function valuesOf(distribution: Distribution): Values {
  const { rate_per_token: rate, total_amount: total, source_account: account } = distribution
  return {
    kind: distribution.kind,
    currency: distribution.currency,
    record_at: localTime(new Date(distribution.record_at)),
    pay_on: distribution.pay_on,
    basis: total === null ? 'rate' : 'total',
    amount: rate ?? total ?? '',
    account_holder: account.account_holder,
    iban: account.iban,
    bic: account.bic,
    withholding: withholdingText(distribution.withholding),
  }
}

/** Explains the effect of the terms typed so far. */
function Consequence({
  values,
  offering,
  language,
}: {
  values: Values
  offering?: Offering | undefined
  language: string
}) {
  const { t } = useTranslation()
  const { record_at: recordAt, pay_on: payOn, kind, basis, amount = '' } = values
  const atRate = basis === 'rate' && offering ? amountAtRate(amount, offering) : undefined
  // Zero before the first mint, which would be meaningless.
  const about = atRate !== undefined && !isZero(atRate) ? atRate : undefined
  const rates = withholdingOf(values['withholding'] ?? '')
  if (!recordAt && !payOn && !about) return null
  return (
    <section className="card card-quiet">
      {about && offering && (
        <p>
          {t('distributions.about', { amount: moneyText(about, offering.currency, language), name: offering.name })}
        </p>
      )}
      {recordAt && payOn && (
        <p>
          {t('distributions.when', { record: timeText(new Date(recordAt).toISOString()), day: dayLabel(payOn) })}{' '}
          {kind === 'REDEMPTION' && t('distributions.burns')}
        </p>
      )}
      {rates.length > 0 && (
        <p className="muted">
          {t('distributions.withheldFor', {
            rates: rates.map(({ country, percent }) => `${country} ${percent} %`).join(', '),
          })}
        </p>
      )}
    </section>
  )
}
