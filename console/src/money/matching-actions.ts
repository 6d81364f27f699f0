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
  /** Or the parts into which the payment is split. */
  readonly parts?: readonly Part[] | undefined
}

/** Returns the actions a person may take on a payment, most likely first. */
export function useMatchingActions(payment: Payment, { order, parts }: Choice): Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  if (!may('money')) return []
  const money = (amount: string) => moneyText(amount, payment.currency, i18n.language)
  const context: Context = { payment, t, money, amount: money(payment.unassigned_amount) }
  return offeredActions([
    order && assignAction(context, order),
    parts && parts.length > 0 && splitAction(context, parts),
    payment.payer_iban !== null && returnAction(context),
    dismissAction(context),
  ])
}

/** Values that every action needs. */
interface Context {
  readonly payment: Payment
  readonly t: TFunction
  /** An amount in the currency of the payment, as the person reads it. */
  readonly money: (amount: string) => string
  /** Unassigned rest of the payment, as the person reads it. */
  readonly amount: string
}

function assignAction(context: Context, order: Order): Action {
  const { payment, t, amount } = context
  return {
    id: 'assign',
    label: t('matching.assign'),
    consequence: [
      t('matching.assignText', { amount, reference: order.payment_reference, name: order.account.full_name }),
      differenceText(context, order),
    ].join(' '),
    run: (key) =>
      api.post('/unassigned-payments/{paymentId}/assign', { ...paramsOf(payment, key), body: { order_id: order.id } }),
    done: t('matching.assigned', { amount }),
  }
}

function differenceText({ payment, t, money }: Context, order: Order): string {
  const { total_amount: total, paid_amount: paid, currency } = order
  const difference = subtract(payment.unassigned_amount, subtract(total, paid))
  if (currency !== payment.currency || isZero(difference)) return ''
  return difference.startsWith('-')
    ? t('matching.underpaid', { amount: money(difference.slice(1)) })
    : t('matching.overpaid', { amount: money(difference) })
}

function splitAction({ payment, t, money, amount }: Context, parts: readonly Part[]): Action {
  return {
    id: 'split',
    label: t('matching.split'),
    consequence: parts
      .map(({ order: { payment_reference: reference, account }, amount: part }) =>
        t('matching.assignText', { amount: money(part), reference, name: account.full_name }),
      )
      .join(' '),
    run: (key) =>
      api.post('/unassigned-payments/{paymentId}/split', {
        ...paramsOf(payment, key),
        body: { parts: parts.map((part) => ({ order_id: part.order.id, amount: part.amount })) },
      }),
    done: t('matching.splitDone', { amount, count: parts.length }),
  }
}

function returnAction({ payment, t, amount }: Context): Action {
  return {
    id: 'return',
    label: t('matching.return'),
    isDangerous: true,
    consequence: t('matching.returnText', { amount, name: payment.payer_name ?? t('matching.unknownPayer') }),
    fields: [reasonField(t)],
    run: (key, { reason = '' }) =>
      api.post('/unassigned-payments/{paymentId}/return', { ...paramsOf(payment, key), body: { reason } }),
    done: t('matching.returned', { amount }),
  }
}

function dismissAction({ payment, t, amount }: Context): Action {
  return {
    id: 'dismiss',
    label: t('matching.dismiss'),
    isDangerous: true,
    consequence: t('matching.dismissText', { amount }),
    fields: [reasonField(t)],
    run: (key, { reason = '' }) =>
      api.post('/unassigned-payments/{paymentId}/dismiss', { ...paramsOf(payment, key), body: { reason } }),
    done: t('matching.dismissed', { amount }),
  }
}

/** The service rejects a change if another person was faster. */
function paramsOf({ id, status }: Payment, key: string) {
  return { path: { paymentId: id }, key, query: { expected_status: status } }
}
