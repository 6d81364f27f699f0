import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** The way to the order of a refund. A refund of a payment that belongs to no order has none. */
export function OrderLink({ orderId }: { orderId: string | null }) {
  const { t } = useTranslation()
  if (orderId === null) return <span className="muted">–</span>
  return (
    <Link className="link" to="/orders/$orderId" params={{ orderId }}>
      {t('refunds.openOrder')}
    </Link>
  )
}
