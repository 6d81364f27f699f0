import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { Facts } from '../parts/facts.tsx'
import { Time } from '../parts/time.tsx'

/** Shows who ordered what and when, and the account to pay to. */
export function OrderFacts({ order }: { order: Schemas['OperatorOrder'] }) {
  const { t } = useTranslation()
  const { account, offering, payment_bank_account: bank } = order
  return (
    <section className="card">
      <Facts
        facts={{
          [t('orders.investor')]: (
            <Link className="link" to="/investors/$accountId" params={{ accountId: account.id }}>
              {account.full_name}
            </Link>
          ),
          [t('orders.offering')]: (
            <Link className="link" to="/offerings/$offeringId" params={{ offeringId: offering.id }}>
              {offering.name}
            </Link>
          ),
          [t('orders.created')]: <Time time={order.created_at} />,
          [t('orders.due')]: <Time time={order.payment_due_at} />,
          [t('orders.acceptedAt')]: <Time time={order.accepted_at} />,
          [t('orders.cancelledAt')]: order.cancelled_at ? <Time time={order.cancelled_at} /> : undefined,
          [t('orders.payTo')]: bank.account_holder,
          IBAN: <span className="mono">{bank.iban}</span>,
        }}
      />
    </section>
  )
}
