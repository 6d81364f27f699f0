import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { isZero, subtract } from '../parts/decimal.ts'
import { moneyText } from '../parts/money.tsx'

type Payment = Schemas['ListedUnassignedPayment']
type Order = Schemas['OperatorOrder']

/** A part of a payment for one order. */
export interface Part {
  readonly order: Order
  readonly amount: string
}

interface Choice {
  /** The order that gets all of the payment. */
  readonly order?: Order | undefined
  /** Or the orders that it is split over. */
  readonly parts?: readonly Part[] | undefined
}

/** What the person may do with a payment, the most likely first. */
export function useMatchingActions(payment: Payment, { order, parts }: Choice): Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  const money = (amount: string) => moneyText(amount, payment.currency, i18n.language)
  const amount = money(payment.unassigned_amount)
  const params = (key: string) => ({
    params: { path: { paymentId: payment.id }, header: once(key), query: { expected_status: payment.status } },
  })
  if (!may('money')) return []
  const reason = { name: 'reason', label: t('parts.reason'), kind: 'long', hint: t('parts.reasonHint') } as const
  return [
    order && {
      id: 'assign',
      label: t('matching.assign'),
      consequence: [
        t('matching.assignText', { amount, reference: order.payment_reference, name: order.account.full_name }),
        differenceText(order),
      ].join(' '),
      run: (key: string) =>
        bodyOf(api.POST('/unassigned-payments/{paymentId}/assign', { ...params(key), body: { order_id: order.id } })),
      done: t('matching.assigned', { amount }),
    },
    parts &&
      parts.length > 0 && {
        id: 'split',
        label: t('matching.split'),
        consequence: parts
          .map(({ order: { payment_reference: reference, account }, amount: part }) =>
            t('matching.assignText', { amount: money(part), reference, name: account.full_name }),
          )
          .join(' '),
        run: (key: string) =>
          bodyOf(
            api.POST('/unassigned-payments/{paymentId}/split', {
              ...params(key),
              body: { parts: parts.map((part) => ({ order_id: part.order.id, amount: part.amount })) },
            }),
          ),
        done: t('matching.splitDone', { amount, count: parts.length }),
      },
    payment.payer_iban !== null && {
      id: 'return',
      label: t('matching.return'),
      isDangerous: true,
      consequence: t('matching.returnText', { amount, name: payment.payer_name ?? t('matching.unknownPayer') }),
      fields: [reason],
      run: (key: string, values: Readonly<Record<string, string>>) =>
        bodyOf(
          api.POST('/unassigned-payments/{paymentId}/return', {
            ...params(key),
            body: { reason: values['reason'] ?? '' },
          }),
        ),
      done: t('matching.returned', { amount }),
    },
    {
      id: 'dismiss',
      label: t('matching.dismiss'),
      isDangerous: true,
      consequence: t('matching.dismissText', { amount }),
      fields: [reason],
      run: (key: string, values: Readonly<Record<string, string>>) =>
        bodyOf(
          api.POST('/unassigned-payments/{paymentId}/dismiss', {
            ...params(key),
            body: { reason: values['reason'] ?? '' },
          }),
        ),
      done: t('matching.dismissed', { amount }),
    },
  ].filter((action) => !!action)

  function differenceText({ total_amount: total, paid_amount: paid, currency }: Order): string {
    const difference = subtract(payment.unassigned_amount, subtract(total, paid))
    if (currency !== payment.currency || isZero(difference)) return ''
    return difference.startsWith('-')
      ? t('matching.underpaid', { amount: money(difference.slice(1)) })
      : t('matching.overpaid', { amount: money(difference) })
  }
}
