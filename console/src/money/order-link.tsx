import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Links to the order of a refund by the reference people know. A refund of a payment without an order has no link. */
export function OrderLink({ orderId, reference }: { orderId: string | null; reference?: string | undefined }) {
  const { t } = useTranslation()
  if (orderId === null) return <span className="muted">–</span>
  return (
    <Link className="link" to="/orders/$orderId" params={{ orderId }}>
      {reference ?? t('refunds.openOrder')}
    </Link>
  )
}
