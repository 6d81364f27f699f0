import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import type { Column } from '../parts/data-table.tsx'
import { isZero } from '../parts/decimal.ts'
import { Money } from '../parts/money.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'

type Order = Schemas['OperatorOrder']

/** Columns of orders, also for the pages of offerings and investors. */
export function useOrderColumns(): readonly Column<Order>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      {
        id: 'reference',
        header: t('orders.reference'),
        width: 165,
        cell: ({ id, payment_reference: reference }) => (
          <Link className="plain mono" to="/orders/$orderId" params={{ orderId: id }} tabIndex={-1}>
            {reference}
          </Link>
        ),
      },
      { id: 'investor', header: t('orders.investor'), cell: ({ account }) => account.full_name },
      { id: 'offering', header: t('orders.offering'), cell: ({ offering }) => offering.name },
      {
        id: 'units',
        header: t('orders.units'),
        isRight: true,
        width: 115,
        cell: ({ units, offering }) => <Units units={units} decimals={offering.decimals} symbol={offering.symbol} />,
      },
      {
        id: 'total',
        header: t('orders.total'),
        isRight: true,
        width: 115,
        cell: ({ total_amount: total, currency }) => <Money amount={total} currency={currency} />,
      },
      {
        id: 'missing',
        header: t('orders.missing'),
        isRight: true,
        width: 115,
        cell: (order) => <Missing order={order} />,
      },
      { id: 'status', header: t('orders.status'), width: 130, cell: ({ status }) => <State state={status} /> },
      {
        id: 'created',
        header: t('orders.created'),
        isSorted: true,
        width: 140,
        cell: ({ created_at: at }) => <Time time={at} isRelative />,
      },
    ],
    [t],
  )
}

function Missing({ order }: { order: Pick<Order, 'missing_amount' | 'currency'> }) {
  const { missing_amount: missing } = order
  if (isZero(missing)) return <span className="muted">–</span>
  return <Money amount={missing} currency={order.currency} />
}
