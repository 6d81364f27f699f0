import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import type { NamedBulkAction } from '../parts/bulk-action.ts'
import { moneyText } from '../parts/money-text.ts'
import { notifyProblem } from '../parts/notify-problem.ts'

const BulkDialog = lazy(async () => ({ default: (await import('../parts/bulk-dialog.tsx')).BulkDialog }))

type Payment = Schemas['ListedUnassignedPayment']

/** Maximum number of payments in one dialog: a person would not check more. */
const paymentsMax = 50

/** Assigns each payment that has exactly one suggestion to that order, after the person has seen all pairs. */
export function BulkAssign({ payments }: { payments: readonly Payment[] }) {
  const { t, i18n } = useTranslation()
  const client = useQueryClient()
  const [action, setAction] = useState<NamedBulkAction>()
  const [isLoading, setLoading] = useState(false)

  async function prepare(): Promise<void> {
    setLoading(true)
    try {
      const details = await Promise.all(payments.slice(0, paymentsMax).map(({ id }) => detailOf(id)))
      const pairs = details.flatMap(({ id, status, payer_name: payer, unassigned_amount: amount, ...more }) => {
        const [only, ...others] = more.suggestions
        if (!only || others.length > 0) return []
        const money = moneyText(amount, more.currency, i18n.language)
        const name = t('matching.pair', {
          payer: payer ?? t('matching.unknownPayer'),
          amount: money,
          reference: only.payment_reference,
        })
        return [{ id, name, item: { payment_id: id, expected_status: status, body: { order_id: only.order_id } } }]
      })
      setAction({
        id: 'assign-suggested',
        label: t('matching.assignSuggested'),
        consequence: t('matching.assignSuggestedText', { count: pairs.length }),
        rows: pairs,
        isListed: true,
        send: (key, [from, to]) =>
          api.post('/bulk/assignPayment', { key, body: { items: pairs.slice(from, to).map(({ item }) => item) } }),
      })
    } catch (error) {
      notifyProblem(error)
    } finally {
      setLoading(false)
    }
  }

  const detailOf = (paymentId: string) =>
    client.fetchQuery({
      queryKey: ['unassigned-payment', paymentId],
      queryFn: () => api.get('/unassigned-payments/{paymentId}', { path: { paymentId } }),
    })
  return (
    <>
      <Button variant="default" loading={isLoading} onClick={() => void prepare()}>
        {t('matching.assignSuggested')}
      </Button>
      <Suspense>{action && <BulkDialog action={action} leftOut={0} onClose={() => setAction(undefined)} />}</Suspense>
    </>
  )
}
