import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions, reasonField } from '../parts/actions.tsx'
import { isZero, subtract } from '../parts/decimal.ts'
import { moneyText } from '../parts/money-text.ts'
import { unitsText } from '../parts/units.tsx'
import { canRemedy, type Remedy } from './blocker-remedies.ts'

type Order = Schemas['OperatorOrder']
export type OrderAction = Action & { readonly id: Remedy | 'cancel' }

/** Returns the actions a person may take on an order in its state, most likely first. */
export function useOrderActions(order: Order): OrderAction[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  const { status, offering, paid_amount: paid, account } = order
  const mayOffer = may('offerings', offering.id)
  const isOpen = status === 'ORDERED' || status === 'PAID' || status === 'READYTOMINT'
  const money = (amount: string) => moneyText(amount, order.currency, i18n.language)
  const text = { units: `${unitsText(order.units, offering.decimals)} ${offering.symbol}`, name: account.full_name }
  const path = { orderId: order.id }
  return offeredActions<OrderAction>([
    mayOffer &&
      canRemedy(order, 'accept') && {
        id: 'accept',
        label: t('orders.accept'),
        consequence: t('orders.acceptText', text),
        run: (key) => api.post('/orders/{orderId}/accept', { path, key }),
        done: t('orders.accepted'),
      },
    may('settlement', offering.id) &&
      canRemedy(order, 'release') && {
        id: 'release',
        label: t('orders.release'),
        consequence: t('orders.releaseText', text),
        run: (key) => api.post('/orders/{orderId}/release', { path, key }),
        done: t('orders.released'),
      },
    may('money') &&
      canRemedy(order, 'late') && {
        id: 'late',
        label: t('orders.late'),
        consequence: t('orders.lateText'),
        run: (key) => api.post('/orders/{orderId}/accept-late-payment', { path, key }),
        done: t('orders.lateDone'),
      },
    may('money') && canRemedy(order, 'record') && recordPaymentAction(order, money, t),
    mayOffer && canRemedy(order, 'extend') && extendAction(order, t),
    mayOffer &&
      isOpen && {
        id: 'cancel',
        label: t('orders.cancel'),
        isDangerous: true,
        consequence: isZero(paid)
          ? t('orders.cancelText', text)
          : t('orders.cancelPaidText', { ...text, amount: money(paid) }),
        fields: [reasonField(t)],
        run: (key, { reason = '' }) => api.post('/orders/{orderId}/cancel', { path, key, body: { reason } }),
        done: t('orders.cancelled'),
      },
  ])
}

function recordPaymentAction(order: Order, money: (amount: string) => string, t: TFunction): OrderAction {
  const missing = subtract(order.total_amount, order.paid_amount)
  return {
    id: 'record',
    label: t('orders.record'),
    consequence: t('orders.recordText', { amount: money(missing) }),
    fields: [
      { name: 'amount', label: t('orders.amount'), kind: 'text', initial: missing },
      { name: 'reference', label: t('orders.bankReference'), kind: 'text' },
      { name: 'received_at', label: t('orders.receivedAt'), kind: 'time' },
    ],
    run: (key, { amount = '', reference = '', received_at: receivedAt = '' }) => {
      const body = { amount, currency: order.currency, reference, received_at: new Date(receivedAt).toISOString() }
      return api.post('/orders/{orderId}/payments', { path: { orderId: order.id }, key, body })
    },
    done: t('orders.recorded'),
  }
}

function extendAction({ id }: Order, t: TFunction): OrderAction {
  return {
    id: 'extend',
    label: t('orders.extend'),
    consequence: t('orders.extendText'),
    fields: [{ name: 'payment_due_at', label: t('orders.due'), kind: 'time' }],
    run: (key, { payment_due_at: due = '' }) => {
      const body = { payment_due_at: new Date(due).toISOString() }
      return api.post('/orders/{orderId}/extend', { path: { orderId: id }, key, body })
    },
    done: t('orders.extended'),
  }
}
