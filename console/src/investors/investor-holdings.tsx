import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { Copied } from '../parts/copied.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'

type Holding = Schemas['WalletBalance']
type Transaction = Schemas['Transaction']

/** Tokens of an investor, and the transfers behind them. */
export function InvestorHoldings({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const path = { accountId }
  const balances = useList<Holding>(['account', accountId, 'balances'], (query) =>
    bodyOf(api.GET('/accounts/{accountId}/balances', { params: { path, query } })),
  )
  const transactions = useList<Transaction>(['account', accountId, 'transactions'], (query) =>
    bodyOf(api.GET('/accounts/{accountId}/transactions', { params: { path, query } })),
  )
  const holdingColumns = useHoldingColumns()
  const transactionColumns = useTransactionColumns()
  return (
    <>
      <section className="card">
        <h2>{t('investors.holdings')}</h2>
        <DataTable
          label={t('investors.holdings')}
          list={balances}
          idOf={(one) => `${one.wallet_id} ${one.offering_id}`}
          isShort
          emptyText={t('investors.noHoldings')}
          columns={holdingColumns}
        />
      </section>
      <section className="card">
        <h2>{t('investors.transactions')}</h2>
        <DataTable
          label={t('investors.transactions')}
          list={transactions}
          idOf={({ id }) => id}
          isShort
          emptyText={t('investors.noTransactions')}
          columns={transactionColumns}
        />
      </section>
    </>
  )
}

function useHoldingColumns(): Column<Holding>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      {
        id: 'offering',
        header: t('orders.offering'),
        cell: ({ offering_id: offeringId, name }) => (
          <Link className="plain" to="/offerings/$offeringId" params={{ offeringId }}>
            {name}
          </Link>
        ),
      },
      {
        id: 'wallet',
        header: t('investors.walletStep'),
        width: 150,
        cell: ({ wallet_address: address }) => <Copied text={address} />,
      },
      {
        id: 'units',
        header: t('orders.units'),
        isRight: true,
        width: 180,
        cell: ({ balance, decimals, symbol }) => <Units units={balance} decimals={decimals} symbol={symbol} />,
      },
    ],
    [t],
  )
}

function useTransactionColumns(): Column<Transaction>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      { id: 'kind', header: t('investors.type'), width: 110, cell: ({ transaction_type: type }) => type },
      { id: 'offering', header: t('orders.offering'), cell: ({ name }) => name },
      {
        id: 'units',
        header: t('orders.units'),
        isRight: true,
        width: 160,
        cell: ({ units, decimals, symbol }) => <Units units={units} decimals={decimals} symbol={symbol} />,
      },
      {
        id: 'hash',
        header: t('investors.transaction'),
        width: 150,
        cell: ({ transaction_hash: hash }) => <Copied text={hash} />,
      },
      { id: 'status', header: t('orders.status'), width: 120, cell: ({ status }) => <State state={status} /> },
      {
        id: 'time',
        header: t('audit.time'),
        width: 140,
        cell: ({ block_timestamp: at }) => <Time time={at} isRelative />,
      },
    ],
    [t],
  )
}
