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

/** Returns the actions that start, stop and change a sale. */
export function useSaleActions(offering: Offering): Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  const changeTerms = useTermsAction(offering)
  const order = useOrderAction(offering)
  const { id, status, funded_amount: funded, currency } = offering
  if (!may('offerings', id)) return []
  const path = { offeringId: id }
  const units = unitsOf(offering, offering.available_units)
  return offeredActions([
    status === 'DRAFT' && {
      id: 'open',
      label: t('offerings.open'),
      consequence: <OpenConsequence offering={offering} />,
      run: (key) => api.post('/offerings/{offeringId}/open', { path, key }),
      done: t('offerings.opened'),
    },
    isMissed(offering) && {
      id: 'refund-all',
      label: t('offerings.refundAll'),
      isDangerous: true,
      consequence: t('offerings.refundAllText', { amount: moneyText(funded, currency, i18n.language) }),
      fields: [reasonField(t)],
      run: (key, { reason = '' }) => api.post('/offerings/{offeringId}/refund-all', { path, key, body: { reason } }),
      done: t('offerings.refundAllDone'),
    },
    status === 'PAUSED' && {
      id: 'resume-sale',
      label: t('offerings.resumeSale'),
      consequence: t('offerings.resumeSaleText', { units }),
      fields: [reasonField(t)],
      run: (key, { reason = '' }) => api.post('/offerings/{offeringId}/resume', { path, key, body: { reason } }),
      done: t('offerings.saleResumed'),
    },
    (status === 'OPEN' || status === 'PAUSED') && changeTerms,
    status === 'OPEN' && order,
    status === 'OPEN' && {
      id: 'pause',
      label: t('offerings.pause'),
      consequence: t('offerings.pauseText', { units }),
      fields: [reasonField(t)],
      run: (key, { reason = '' }) => api.post('/offerings/{offeringId}/pause', { path, key, body: { reason } }),
      done: t('offerings.paused'),
    },
    (status === 'OPEN' || status === 'PAUSED') && {
      id: 'close',
      label: t('offerings.close'),
      isDangerous: true,
      consequence: t('offerings.closeText', { units }),
      run: (key) => api.post('/offerings/{offeringId}/close', { path, key }),
      done: t('offerings.closed'),
    },
  ])
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

function unitsOf({ decimals, symbol }: Offering, units: string): string {
  return `${unitsText(units, decimals)} ${symbol}`
}

/** Returns the cost of all units. */
function worthOfAll({ total_units: units, decimals, price_per_token: price, currency }: Offering): string {
  const { value, scale } = parseDecimal(price)
  return trimmed(decimalText(BigInt(units) * value, scale + decimals), scaleOf(currency))
}
