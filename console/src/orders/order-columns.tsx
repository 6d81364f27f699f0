import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { type Column, figureColumn, moneyColumn, timeColumn, unitsColumn } from '../parts/columns.tsx'
import { isZero } from '../parts/decimal.ts'
import { Money } from '../parts/money.tsx'
import { State } from '../parts/state.tsx'

type Order = Schemas['OperatorOrder']

/** Columns of orders, which the pages of offerings and investors show too. */
export function useOrderColumns(): readonly Column<Order>[] {
  const { t } = useTranslation()
  return [
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
    unitsColumn('units', t('orders.units'), 115, ({ units, offering }) => ({
      units,
      decimals: offering.decimals,
      symbol: offering.symbol,
    })),
    moneyColumn('total', t('orders.total'), 115, (one) => one.total_amount),
    figureColumn('missing', t('orders.missing'), 115, (order) => <Missing order={order} />),
    { id: 'status', header: t('orders.status'), width: 130, cell: ({ status }) => <State state={status} /> },
    timeColumn('created', t('orders.created'), (one) => one.created_at, { isSorted: true }),
  ]
}

function Missing({ order }: { order: Pick<Order, 'missing_amount' | 'currency'> }) {
  const { missing_amount: missing } = order
  if (isZero(missing)) return <span className="muted">–</span>
  return <Money amount={missing} currency={order.currency} />
}
