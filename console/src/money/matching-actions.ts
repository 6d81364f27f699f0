import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions, reasonField } from '../parts/actions.tsx'
import { isZero, subtract } from '../parts/decimal.ts'
import { moneyText } from '../parts/money-text.ts'

type Payment = Schemas['ListedUnassignedPayment']
type Order = Schemas['OperatorOrder']

/** A part of a payment for one order. */
export interface Part {
  readonly order: Order
  readonly amount: string
}

interface Choice {
  /** Order that gets the whole payment. */
  readonly order?: Order | undefined
  /** Parts into which the payment is split instead. */
  readonly parts?: readonly Part[] | undefined
}

/** Returns the actions a person may take on a payment, most likely first. */
export function useMatchingActions(payment: Payment, { order, parts }: Choice): Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  if (!may('money')) return []
  const money = (one: string) => moneyText(one, payment.currency, i18n.language)
  const amount = money(payment.unassigned_amount)
  const assignText = ({ payment_reference: reference, account }: Order, part: string) =>
    t('matching.assignText', { amount: part, reference, name: account.full_name })
  // The service rejects a change if another person was faster.
  const one = { path: { paymentId: payment.id }, query: { expected_status: payment.status } }
  return offeredActions([
    order && {
      id: 'assign',
      label: t('matching.assign'),
      consequence: `${assignText(order, amount)} ${differenceText(payment, order, money, t)}`,
      run: (key) => api.post('/unassigned-payments/{paymentId}/assign', { ...one, key, body: { order_id: order.id } }),
      done: t('matching.assigned', { amount }),
    },
    !!parts?.length && {
      id: 'split',
      label: t('matching.split'),
      consequence: parts.map((part) => assignText(part.order, money(part.amount))).join(' '),
      run: (key) => {
        const body = { parts: parts.map((part) => ({ order_id: part.order.id, amount: part.amount })) }
        return api.post('/unassigned-payments/{paymentId}/split', { ...one, key, body })
      },
      done: t('matching.splitDone', { amount, count: parts.length }),
    },
    payment.payer_iban !== null && {
      id: 'return',
      label: t('matching.return'),
      isDangerous: true,
      consequence: t('matching.returnText', { amount, name: payment.payer_name ?? t('matching.unknownPayer') }),
      fields: [reasonField(t)],
      run: (key, { reason = '' }) =>
        api.post('/unassigned-payments/{paymentId}/return', { ...one, key, body: { reason } }),
      done: t('matching.returned', { amount }),
    },
    {
      id: 'dismiss',
      label: t('matching.dismiss'),
      isDangerous: true,
      consequence: t('matching.dismissText', { amount }),
      fields: [reasonField(t)],
      run: (key, { reason = '' }) =>
        api.post('/unassigned-payments/{paymentId}/dismiss', { ...one, key, body: { reason } }),
      done: t('matching.dismissed', { amount }),
    },
  ])
}

/** Says what becomes of the difference between a payment and its order. */
function differenceText(payment: Payment, order: Order, money: (amount: string) => string, t: TFunction): string {
  const { total_amount: total, paid_amount: paid, currency } = order
  const difference = subtract(payment.unassigned_amount, subtract(total, paid))
  if (currency !== payment.currency || isZero(difference)) return ''
  return difference.startsWith('-')
    ? t('matching.underpaid', { amount: money(difference.slice(1)) })
    : t('matching.overpaid', { amount: money(difference) })
}
