import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { Card } from '../parts/card.tsx'
import { Facts } from '../parts/facts.tsx'
import { Money } from '../parts/money.tsx'
import { State } from '../parts/state.tsx'

/** Bars of orders by state, and where their money is. */
export function OrderCounts({ summary }: { summary: Schemas['OfferingSums'] }) {
  const { t, i18n } = useTranslation()
  const { orders, currency, money, offering_id: offeringId } = summary
  const most = Math.max(1, ...orders.map(({ count }) => count))
  return (
    <div className="halves">
      <Card title={t('offerings.ordersByState')}>
        <table className="diff figures" aria-label={t('offerings.ordersByState')}>
          <colgroup>
            <col style={{ width: '40%' }} />
            <col style={{ width: '22%' }} />
            <col />
          </colgroup>
          <tbody>
            {orders.map(({ status, count, amount }) => (
              <tr key={status}>
                <th scope="row">
                  <Link className="plain" to="/orders" search={{ offering_id: offeringId, status }}>
                    <State state={status} />
                  </Link>
                </th>
                <td>
                  <div className="bar-line">
                    {count > 0 && <span className="bar" style={{ width: `${(count / most) * 100}%` }} />}
                    {new Intl.NumberFormat(i18n.language).format(count)}
                  </div>
                </td>
                <td>
                  <Money amount={amount} currency={currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card title={t('offerings.money')}>
        <Facts
          isFigures
          facts={Object.fromEntries(
            (['received', 'reversed', 'applied', 'owed', 'sent', 'paid_back'] as const).map((name) => [
              t(`offerings.sums.${name}`),
              <Money key={name} amount={money[name]} currency={currency} />,
            ]),
          )}
        />
      </Card>
    </div>
  )
}
