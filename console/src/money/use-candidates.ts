import { useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { isZero, subtract } from '../parts/decimal.ts'

type Order = Schemas['OperatorOrder']

/** An order that a payment may be meant for, and why. */
export interface Candidate {
  readonly order: Order
  readonly reasons: readonly string[]
}

/**
 * Returns candidate orders: first those the person searched for, then the service's suggestions, whose outstanding
 * amount equals the payment, then unpaid orders of investors with the payer's name.
 */
export function useCandidates(payment: Schemas['ListedUnassignedPayment'], wanted: string) {
  const { t } = useTranslation()
  const detail = useQuery({
    queryKey: ['unassigned-payment', payment.id],
    queryFn: () => api.get('/unassigned-payments/{paymentId}', { path: { paymentId: payment.id } }),
  })
  const suggestions = detail.data?.suggestions ?? []
  const suggested = useQueries({
    queries: suggestions.map(({ order_id: orderId }) => ({
      queryKey: ['order', orderId],
      queryFn: () => api.get('/orders/{orderId}', { path: { orderId } }),
    })),
  })
  const found = useOrdersOf(wanted)
  const ofPayer = useOrdersOf(payment.payer_name ?? '')
  const missing = (order: Order) => subtract(order.total_amount, order.paid_amount)
  const reasonsOf = (order: Order): string[] => {
    const isSame = order.currency === payment.currency
    const difference = isSame ? subtract(payment.unassigned_amount, missing(order)) : undefined
    const amount =
      difference === undefined
        ? t('matching.otherCurrency')
        : isZero(difference)
          ? t('matching.amountEqual')
          : t(difference.startsWith('-') ? 'matching.tooSmall' : 'matching.tooLarge')
    const why = suggestions.find(({ order_id: id }) => id === order.id)?.why ?? ''
    const [, percent] = /(\d+) %/.exec(why) ?? []
    const isOfPayer = ofPayer.orders.some(({ id }) => id === order.id)
    const name = percent ? t('matching.similarName', { percent }) : isOfPayer ? t('matching.sameName') : undefined
    return [amount, ...(name === undefined ? [] : [name])]
  }
  const failed = [detail, ...suggested, found, ofPayer].filter(({ data, error }) => error && !data)
  const problem = failed[0]?.error ?? null
  const orders = [...found.orders, ...suggested.flatMap(({ data }) => data ?? []), ...ofPayer.orders]
  const unique = [...new Map(orders.map((order) => [order.id, order])).values()]
  return {
    candidates: unique.map((order) => ({ order, reasons: reasonsOf(order) })),
    isLoading:
      !problem &&
      (detail.isPending || suggested.some(({ isPending }) => isPending) || found.isLoading || ofPayer.isLoading),
    problem,
    reload: () => void Promise.all(failed.map(({ refetch }) => refetch())),
  }
}

/** Maximum number of orders that a person compares with one payment. */
const ordersMax = 10

/** Finds the order with a payment reference, or the unpaid orders of investors with a name. */
function useOrdersOf(wanted: string) {
  const reference = wanted.toUpperCase().replaceAll(/\s/g, '')
  const query = useQuery({
    queryKey: ['orders', { wanted }],
    queryFn: async () => {
      if (/^RF\d{2}[A-Z0-9]+$/.test(reference)) {
        const one = { payment_reference: reference, limit: 1 }
        return (await api.get('/orders', { query: one })).results
      }
      const accounts = await api.post('/accounts/search', { body: { q: wanted }, query: { limit: 3 } })
      const pages = await Promise.all(
        accounts.results.map(({ id }) => {
          const waiting = { account_id: id, status: ['ORDERED' as const], limit: ordersMax }
          return api.get('/orders', { query: waiting })
        }),
      )
      return pages.flatMap(({ results }) => results).slice(0, ordersMax)
    },
    enabled: wanted.length >= 2,
  })
  return { ...query, orders: query.data ?? [] }
}
