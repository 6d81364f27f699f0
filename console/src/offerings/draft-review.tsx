import { useTranslation } from 'react-i18next'
import { scaleOf } from '../api/minor-unit-digits.ts'
import { formatDecimal } from '../parts/decimal.ts'
import { Facts } from '../parts/facts.tsx'
import { type DraftStep, type DraftValues, draftSteps, faultOf, worthOf } from './draft.ts'

const shownSteps = (Object.keys(draftSteps) as DraftStep[]).filter((step) => step !== 'review')

/** All terms on one page, with the totals that follow from them. */
export function DraftReview({ values }: { values: DraftValues }) {
  const { t } = useTranslation()
  return (
    <div className="stack">
      <Consequence values={values} />
      {shownSteps.map((step) => (
        <section key={step}>
          <h3>{t(`draft.${step}`)}</h3>
          <Facts
            facts={Object.fromEntries(
              draftSteps[step].map((name) => [
                t(`draft.fields.${name}`),
                name.endsWith('_at') ? (values[name] ?? '').replace('T', ' ') : (values[name] ?? ''),
              ]),
            )}
          />
        </section>
      ))}
    </div>
  )
}

function Consequence({ values }: { values: DraftValues }) {
  const { t, i18n } = useTranslation()
  const worth = worthOf(values)
  const currency = (values['currency'] ?? '').toUpperCase()
  if (worth === undefined || faultOf('currency', values)) return null
  const money = (amount: string) => `${formatDecimal(amount, i18n.language, scaleOf(currency))} ${currency}`
  return (
    <section className="card">
      <div className="small muted">{t('draft.worth')}</div>
      <div className="figure">{money(worth)}</div>
      <p>
        {t('draft.worthText', {
          units: `${formatDecimal(values['total_units'] ?? '0', i18n.language)} ${values['symbol'] ?? ''}`,
          price: money(values['price_per_token'] ?? '0'),
          days: values['payment_term_days'],
        })}
      </p>
      {!values['iban'] && <p className="tone-attention">{t('draft.noAccount')}</p>}
    </section>
  )
}
