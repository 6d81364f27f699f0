import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions, reasonField } from '../parts/actions.tsx'
import { isZero, subtract } from '../parts/decimal.ts'
import { moneyText } from '../parts/money-text.ts'
import { unitsText } from '../parts/units.tsx'

type Order = Schemas['OperatorOrder']
export type OrderActionId = 'accept' | 'record' | 'late' | 'release' | 'extend' | 'cancel'
export type OrderAction = Action & { readonly id: OrderActionId }

/** Returns the actions a person may take on an order in its state, most likely first. */
export function useOrderActions(order: Order): OrderAction[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  const { status, offering, currency } = order
  const context: Context = {
    order,
    t,
    units: `${unitsText(order.units, offering.decimals)} ${offering.symbol}`,
    money: (amount) => moneyText(amount, currency, i18n.language),
  }
  const has = (code: Schemas['Blocker']['code']) => order.blockers.some((blocker) => blocker.code === code)
  const mayOffer = may('offerings', offering.id)
  const isOpen = status === 'ORDERED' || status === 'PAID' || status === 'READYTOMINT'
  return offeredActions([
    mayOffer && has('acceptance_missing') && acceptAction(context),
    may('settlement', offering.id) && has('mint_on_hold') && releaseAction(context),
    may('money') && status === 'NOPAYMENT' && acceptLateAction(context),
    may('money') && status === 'ORDERED' && recordPaymentAction(context),
    mayOffer && (status === 'ORDERED' || status === 'NOPAYMENT') && extendAction(context),
    mayOffer && isOpen && cancelAction(context),
  ])
}

/** Values that every action needs. */
interface Context {
  readonly order: Order
  readonly t: TFunction
  /** The units of the order, as the person reads them. */
  readonly units: string
  /** An amount in the currency of the order, as the person reads it. */
  readonly money: (amount: string) => string
}

function acceptAction({ order, t, units }: Context): OrderAction {
  return {
    id: 'accept',
    label: t('orders.accept'),
    consequence: t('orders.acceptText', { units, name: order.account.full_name }),
    run: (key) => api.post('/orders/{orderId}/accept', paramsOf(order, key)),
    done: t('orders.accepted'),
  }
}

function releaseAction({ order, t, units }: Context): OrderAction {
  return {
    id: 'release',
    label: t('orders.release'),
    consequence: t('orders.releaseText', { units, name: order.account.full_name }),
    run: (key) => api.post('/orders/{orderId}/release', paramsOf(order, key)),
    done: t('orders.released'),
  }
}

function acceptLateAction({ order, t }: Context): OrderAction {
  return {
    id: 'late',
    label: t('orders.late'),
    consequence: t('orders.lateText'),
    run: (key) => api.post('/orders/{orderId}/accept-late-payment', paramsOf(order, key)),
    done: t('orders.lateDone'),
  }
}

function recordPaymentAction({ order, t, money }: Context): OrderAction {
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
    run: (key, values) =>
      api.post('/orders/{orderId}/payments', {
        ...paramsOf(order, key),
        body: {
          amount: values['amount'] ?? '',
          currency: order.currency,
          reference: values['reference'] ?? '',
          received_at: new Date(values['received_at'] ?? '').toISOString(),
        },
      }),
    done: t('orders.recorded'),
  }
}

function extendAction({ order, t }: Context): OrderAction {
  return {
    id: 'extend',
    label: t('orders.extend'),
    consequence: t('orders.extendText'),
    fields: [{ name: 'payment_due_at', label: t('orders.due'), kind: 'time' }],
    run: (key, values) =>
      api.post('/orders/{orderId}/extend', {
        ...paramsOf(order, key),
        body: { payment_due_at: new Date(values['payment_due_at'] ?? '').toISOString() },
      }),
    done: t('orders.extended'),
  }
}

function cancelAction({ order, t, units, money }: Context): OrderAction {
  return {
    id: 'cancel',
    label: t('orders.cancel'),
    isDangerous: true,
    consequence: isZero(order.paid_amount)
      ? t('orders.cancelText', { units })
      : t('orders.cancelPaidText', { units, amount: money(order.paid_amount), name: order.account.full_name }),
    fields: [reasonField(t)],
    run: (key, { reason = '' }) => api.post('/orders/{orderId}/cancel', { ...paramsOf(order, key), body: { reason } }),
    done: t('orders.cancelled'),
  }
}

function paramsOf({ id }: Order, key: string) {
  return { path: { orderId: id }, key }
}
