import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { type Action, reasonField } from '../parts/actions.tsx'
import { moneyText } from '../parts/money-text.ts'
import { smallestUnits } from './draft.ts'

/** Creates an order for an investor who wrote or called. */
export function useOrderAction({
  id,
  decimals,
  price_per_token: price,
  currency,
}: Schemas['OperatorOffering']): Action {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  return {
    id: 'order',
    label: t('offerings.orderFor'),
    consequence: t('offerings.orderForText', { price: moneyText(price, currency, i18n.language) }),
    fields: [
      { name: 'account', label: t('orders.accountId'), kind: 'text' },
      { name: 'units', label: t('offerings.tokens'), kind: 'text' },
      reasonField(t),
    ],
    run: (key, { account = '', units = '', reason = '' }) =>
      api.post('/offerings/{offeringId}/orders', {
        path: { offeringId: id },
        key,
        body: { account_id: account.trim(), units: smallestUnits(units.trim(), decimals), reason },
      }),
    done: t('offerings.orderedFor'),
    onDone: (result) => {
      const { id: orderId } = result as Schemas['OperatorOrder']
      void navigate({ to: '/orders/$orderId', params: { orderId } })
    },
  }
}
