import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { scaleOf } from '../api/minor-unit-digits.ts'
import { type Action, offeredActions, reasonField } from '../parts/actions.tsx'
import { decimalText, parseDecimal, trimmed } from '../parts/decimal.ts'
import { moneyText } from '../parts/money-text.ts'
import { unitsText } from '../parts/units.tsx'
import { dateText } from '../text/format.ts'
import { CollectionAccount } from './collection-account.tsx'
import { useOrderAction } from './order-action.ts'
import { isMissed } from './soft-cap.tsx'
import { useTermsAction } from './terms-action.tsx'

type Offering = Schemas['OperatorOffering']
type Values = Readonly<Record<string, string>>

/** Returns the actions that start, stop and change a sale. */
export function useSaleActions(offering: Offering): Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  const changeTerms = useTermsAction(offering)
  const order = useOrderAction(offering)
  const { id, status } = offering
  if (!may('offerings', id)) return []
  return offeredActions([
    status === 'DRAFT' && openAction(offering, t),
    isMissed(offering) && refundAllAction(offering, t, i18n.language),
    status === 'PAUSED' && resumeAction(offering, t),
    (status === 'OPEN' || status === 'PAUSED') && changeTerms,
    status === 'OPEN' && order,
    status === 'OPEN' && pauseAction(offering, t),
    (status === 'OPEN' || status === 'PAUSED') && closeAction(offering, t),
  ])
}

function openAction(offering: Offering, t: TFunction): Action {
  return {
    id: 'open',
    label: t('offerings.open'),
    consequence: <OpenConsequence offering={offering} />,
    run: (key) => api.post('/offerings/{offeringId}/open', paramsOf(offering, key)),
    done: t('offerings.opened'),
  }
}

/** Shows what is for sale, at which price and until when. */
function OpenConsequence({ offering }: { offering: Offering }) {
  const { t, i18n } = useTranslation()
  const money = (amount: string) => moneyText(amount, offering.currency, i18n.language)
  return (
    <>
      <p>
        {t('offerings.openText', {
          name: offering.name,
          units: unitsOf(offering, offering.total_units),
          price: money(offering.price_per_token),
          worth: money(worthOfAll(offering)),
        })}
      </p>
      {offering.collection_account && (
        <section>
          <h3>{t('offerings.buyersPayTo')}</h3>
          <CollectionAccount account={offering.collection_account} />
        </section>
      )}
      <p className="muted">
        {offering.closes_at
          ? t('offerings.openUntil', { date: dateText(offering.closes_at) })
          : t('offerings.openWithoutEnd')}{' '}
        {t('offerings.openForever')}
      </p>
    </>
  )
}

function refundAllAction(offering: Offering, t: TFunction, language: string): Action {
  const amount = moneyText(offering.funded_amount, offering.currency, language)
  return {
    id: 'refund-all',
    label: t('offerings.refundAll'),
    isDangerous: true,
    consequence: t('offerings.refundAllText', { amount }),
    fields: [reasonField(t)],
    run: (key, values) =>
      api.post('/offerings/{offeringId}/refund-all', { ...paramsOf(offering, key), ...reasonOf(values) }),
    done: t('offerings.refundAllDone'),
  }
}

function resumeAction(offering: Offering, t: TFunction): Action {
  return {
    id: 'resume-sale',
    label: t('offerings.resumeSale'),
    consequence: t('offerings.resumeSaleText', { units: unitsOf(offering, offering.available_units) }),
    fields: [reasonField(t)],
    run: (key, values) =>
      api.post('/offerings/{offeringId}/resume', { ...paramsOf(offering, key), ...reasonOf(values) }),
    done: t('offerings.saleResumed'),
  }
}

function pauseAction(offering: Offering, t: TFunction): Action {
  return {
    id: 'pause',
    label: t('offerings.pause'),
    consequence: t('offerings.pauseText', { units: unitsOf(offering, offering.available_units) }),
    fields: [reasonField(t)],
    run: (key, values) =>
      api.post('/offerings/{offeringId}/pause', { ...paramsOf(offering, key), ...reasonOf(values) }),
    done: t('offerings.paused'),
  }
}

function closeAction(offering: Offering, t: TFunction): Action {
  return {
    id: 'close',
    label: t('offerings.close'),
    isDangerous: true,
    consequence: t('offerings.closeText', { units: unitsOf(offering, offering.available_units) }),
    run: (key) => api.post('/offerings/{offeringId}/close', paramsOf(offering, key)),
    done: t('offerings.closed'),
  }
}

function paramsOf({ id }: Offering, key: string) {
  return { path: { offeringId: id }, key }
}

function reasonOf(values: Values) {
  return { body: { reason: values['reason'] ?? '' } }
}

function unitsOf({ decimals, symbol }: Offering, units: string): string {
  return `${unitsText(units, decimals)} ${symbol}`
}

/** Returns the cost of all units. */
function worthOfAll({ total_units: units, decimals, price_per_token: price, currency }: Offering): string {
  const { value, scale } = parseDecimal(price)
  return trimmed(decimalText(BigInt(units) * value, scale + decimals), scaleOf(currency))
}
