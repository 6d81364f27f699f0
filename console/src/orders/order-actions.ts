import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { isZero, subtract } from '../parts/decimal.ts'
import { moneyText } from '../parts/money.tsx'
import { unitsText } from '../parts/units.tsx'

type Order = Schemas['OperatorOrder']
export type OrderActionId = 'accept' | 'record' | 'late' | 'release' | 'extend' | 'cancel'

/** What the person may do to an order in its state, the most likely first. */
export function useOrderActions(order: Order): (Action & { id: OrderActionId })[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  const { id, status, offering, account, currency } = order
  const path = { orderId: id }
  const params = (key: string) => ({ params: { path, header: once(key) } })
  const has = (code: Schemas['Blocker']['code']) => order.blockers.some((blocker) => blocker.code === code)
  const units = `${unitsText(order.units, offering.decimals)} ${offering.symbol}`
  const money = (amount: string) => moneyText(amount, currency, i18n.language)
  const missing = subtract(order.total_amount, order.paid_amount)
  const reason = { name: 'reason', label: t('parts.reason'), kind: 'long', hint: t('parts.reasonHint') } as const
  const mayOffer = may('offerings', offering.id)
  const isOpen = status === 'ORDERED' || status === 'PAID' || status === 'READYTOMINT'

  return [
    mayOffer &&
      has('acceptance_missing') && {
        id: 'accept' as const,
        label: t('orders.accept'),
        consequence: t('orders.acceptText', { units, name: account.full_name }),
        run: (key: string) => bodyOf(api.POST('/orders/{orderId}/accept', params(key))),
        done: t('orders.accepted'),
      },
    may('settlement', offering.id) &&
      has('mint_on_hold') && {
        id: 'release' as const,
        label: t('orders.release'),
        consequence: t('orders.releaseText', { units, name: account.full_name }),
        run: (key: string) => bodyOf(api.POST('/orders/{orderId}/release', params(key))),
        done: t('orders.released'),
      },
    may('money') &&
      status === 'NOPAYMENT' && {
        id: 'late' as const,
        label: t('orders.late'),
        consequence: t('orders.lateText'),
        run: (key: string) => bodyOf(api.POST('/orders/{orderId}/accept-late-payment', params(key))),
        done: t('orders.lateDone'),
      },
    may('money') &&
      status === 'ORDERED' && {
        id: 'record' as const,
        label: t('orders.record'),
        consequence: t('orders.recordText', { amount: money(missing) }),
        fields: [
          { name: 'amount', label: t('orders.amount'), kind: 'text' as const, initial: missing },
          { name: 'reference', label: t('orders.bankReference'), kind: 'text' as const },
          { name: 'received_at', label: t('orders.receivedAt'), kind: 'time' as const },
        ],
        run: (key: string, values: Readonly<Record<string, string>>) =>
          bodyOf(
            api.POST('/orders/{orderId}/payments', {
              ...params(key),
              body: {
                amount: values['amount'] ?? '',
                currency,
                reference: values['reference'] ?? '',
                received_at: new Date(values['received_at'] ?? '').toISOString(),
              },
            }),
          ),
        done: t('orders.recorded'),
      },
    mayOffer &&
      (status === 'ORDERED' || status === 'NOPAYMENT') && {
        id: 'extend' as const,
        label: t('orders.extend'),
        consequence: t('orders.extendText'),
        fields: [{ name: 'payment_due_at', label: t('orders.due'), kind: 'time' as const }],
        run: (key: string, values: Readonly<Record<string, string>>) =>
          bodyOf(
            api.POST('/orders/{orderId}/extend', {
              ...params(key),
              body: { payment_due_at: new Date(values['payment_due_at'] ?? '').toISOString() },
            }),
          ),
        done: t('orders.extended'),
      },
    mayOffer &&
      isOpen && {
        id: 'cancel' as const,
        label: t('orders.cancel'),
        isDangerous: true,
        consequence: isZero(order.paid_amount)
          ? t('orders.cancelText', { units })
          : t('orders.cancelPaidText', { units, amount: money(order.paid_amount), name: account.full_name }),
        fields: [reason],
        run: (key: string, values: Readonly<Record<string, string>>) =>
          bodyOf(api.POST('/orders/{orderId}/cancel', { ...params(key), body: { reason: values['reason'] ?? '' } })),
        done: t('orders.cancelled'),
      },
  ].filter((action) => action !== false)
}
