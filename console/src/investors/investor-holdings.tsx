import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { type Column, copiedColumn, timeColumn, unitsColumn } from '../parts/columns.tsx'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'

type Holding = Schemas['WalletBalance']
type Transaction = Schemas['Transaction']

/** Tokens of an investor, and the transfers behind them. */
export function InvestorHoldings({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const path = { accountId }
  const balances = useList<Holding>(['account', accountId, 'balances'], (query) =>
    api.get('/accounts/{accountId}/balances', { path, query }),
  )
  const transactions = useList<Transaction>(['account', accountId, 'transactions'], (query) =>
    api.get('/accounts/{accountId}/transactions', { path, query }),
  )
  const holdingColumns = useHoldingColumns()
  const transactionColumns = useTransactionColumns()
  return (
    <>
      <TableCard
        title={t('investors.holdings')}
        list={balances}
        idOf={(one) => `${one.wallet_id} ${one.offering_id}`}
        emptyText={t('investors.noHoldings')}
        columns={holdingColumns}
      />
      <TableCard
        title={t('investors.transactions')}
        list={transactions}
        emptyText={t('investors.noTransactions')}
        columns={transactionColumns}
      />
    </>
  )
}

function useHoldingColumns(): Column<Holding>[] {
  const { t } = useTranslation()
  return [
    {
      id: 'offering',
      header: t('orders.offering'),
      cell: ({ offering_id: offeringId, name }) => (
        <Link className="plain" to="/offerings/$offeringId" params={{ offeringId }}>
          {name}
        </Link>
      ),
    },
    copiedColumn('wallet', t('investors.walletStep'), 150, (one) => one.wallet_address),
    unitsColumn('units', t('orders.units'), 180, ({ balance, decimals, symbol }) => ({
      units: balance,
      decimals,
      symbol,
    })),
  ]
}

function useTransactionColumns(): Column<Transaction>[] {
  const { t } = useTranslation()
  return [
    { id: 'kind', header: t('investors.type'), width: 110, cell: ({ transaction_type: type }) => type },
    { id: 'offering', header: t('orders.offering'), cell: ({ name }) => name },
    unitsColumn('units', t('orders.units'), 160, ({ units, decimals, symbol }) => ({ units, decimals, symbol })),
    copiedColumn('hash', t('investors.transaction'), 150, (one) => one.transaction_hash),
    { id: 'status', header: t('orders.status'), width: 120, cell: ({ status }) => <State state={status} /> },
    timeColumn('time', t('audit.time'), (one) => one.block_timestamp),
  ]
}
