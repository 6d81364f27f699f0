import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { decimalText, parseDecimal, scaleOf, trimmed } from '../parts/decimal.ts'
import { moneyText } from '../parts/money.tsx'
import { unitsText } from '../parts/units.tsx'
import { dateText } from '../text/format.ts'
import { useOrderAction } from './order-action.ts'
import { isMissed } from './soft-cap.tsx'
import { useTermsAction } from './terms-action.tsx'

type Offering = Schemas['OperatorOffering']
type Values = Readonly<Record<string, string>>

/** What starts, stops and changes a sale. */
export function useSaleActions(offering: Offering): Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  const changeTerms = useTermsAction(offering)
  const order = useOrderAction(offering)
  const { id, status, name, symbol, currency } = offering
  if (!may('offerings', id)) return []
  const params = (key: string) => ({ params: { path: { offeringId: id }, header: once(key) } })
  const units = (amount: string) => `${unitsText(amount, offering.decimals)} ${symbol}`
  const money = (amount: string) => moneyText(amount, currency, i18n.language)
  const reason = { name: 'reason', label: t('parts.reason'), kind: 'long', hint: t('parts.reasonHint') } as const
  const reasonOf = (values: Values) => ({ body: { reason: values['reason'] ?? '' } })
  return [
    status === 'DRAFT' && {
      id: 'open',
      label: t('offerings.open'),
      consequence: (
        <>
          <p>
            {t('offerings.openText', {
              name,
              units: units(offering.total_units),
              price: money(offering.price_per_token),
              worth: money(worthOfAll(offering)),
            })}
          </p>
          <p className="muted">
            {offering.closes_at
              ? t('offerings.openUntil', { date: dateText(offering.closes_at) })
              : t('offerings.openWithoutEnd')}{' '}
            {t('offerings.openForever')}
          </p>
        </>
      ),
      run: (key: string) => bodyOf(api.POST('/offerings/{offeringId}/open', params(key))),
      done: t('offerings.opened'),
    },
    isMissed(offering) && {
      id: 'refund-all',
      label: t('offerings.refundAll'),
      isDangerous: true,
      consequence: t('offerings.refundAllText', { amount: money(offering.funded_amount) }),
      fields: [reason],
      run: (key: string, values: Values) =>
        bodyOf(api.POST('/offerings/{offeringId}/refund-all', { ...params(key), ...reasonOf(values) })),
      done: t('offerings.refundAllDone'),
    },
    status === 'PAUSED' && {
      id: 'resume-sale',
      label: t('offerings.resumeSale'),
      consequence: t('offerings.resumeSaleText', { units: units(offering.available_units) }),
      fields: [reason],
      run: (key: string, values: Values) =>
        bodyOf(api.POST('/offerings/{offeringId}/resume', { ...params(key), ...reasonOf(values) })),
      done: t('offerings.saleResumed'),
    },
    (status === 'OPEN' || status === 'PAUSED') && changeTerms,
    status === 'OPEN' && order,
    status === 'OPEN' && {
      id: 'pause',
      label: t('offerings.pause'),
      consequence: t('offerings.pauseText', { units: units(offering.available_units) }),
      fields: [reason],
      run: (key: string, values: Values) =>
        bodyOf(api.POST('/offerings/{offeringId}/pause', { ...params(key), ...reasonOf(values) })),
      done: t('offerings.paused'),
    },
    (status === 'OPEN' || status === 'PAUSED') && {
      id: 'close',
      label: t('offerings.close'),
      isDangerous: true,
      consequence: t('offerings.closeText', { units: units(offering.available_units) }),
      run: (key: string) => bodyOf(api.POST('/offerings/{offeringId}/close', params(key))),
      done: t('offerings.closed'),
    },
  ].filter((action) => action !== false)
}

/** What all units cost together. */
function worthOfAll({ total_units: units, decimals, price_per_token: price, currency }: Offering): string {
  const { value, scale } = parseDecimal(price)
  return trimmed(decimalText(BigInt(units) * value, scale + decimals), scaleOf(currency))
}
