import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** The way to the order of a refund, by the reference that people know it by. A refund of a payment that belongs to no order has none. */
export function OrderLink({ orderId, reference }: { orderId: string | null; reference?: string | undefined }) {
  const { t } = useTranslation()
  if (orderId === null) return <span className="muted">–</span>
  return (
    <Link className="link" to="/orders/$orderId" params={{ orderId }}>
      {reference ?? t('refunds.openOrder')}
    </Link>
  )
}
