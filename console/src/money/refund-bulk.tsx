import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { BulkActions } from '../parts/bulk-actions.tsx'
import { moneyText } from '../parts/money-text.ts'

type Refund = Schemas['Refund']

/** Makes failed refunds due again. */
export function RefundBulk({ refunds, onDone }: { refunds: readonly Refund[]; onDone: () => void }) {
  const { t, i18n } = useTranslation()
  const may = useMay()
  if (!may('money')) return null
  return (
    <BulkActions
      actions={[
        {
          id: 'retry',
          label: t('refunds.retry'),
          consequence: t('refunds.retryManyText'),
          items: refunds.filter(({ status }) => status === 'failed'),
          run: (key: string, items: readonly Refund[]) => {
            const all = items.map(({ id, status }) => ({ refund_id: id, expected_status: status }))
            return api.post('/bulk/retryRefund', { key, body: { items: all } })
          },
        },
      ]}
      selectedCount={refunds.length}
      nameOf={({ amount, currency, failure }) =>
        [moneyText(amount, currency, i18n.language), failure].filter(Boolean).join(', ')
      }
      onDone={onDone}
    />
  )
}
