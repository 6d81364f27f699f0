import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { actionsColumn, type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { Money } from '../parts/money.tsx'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { useFileActions } from './file-actions.ts'

type File = Schemas['DistributionFile']

/** The files for the bank. The first download of each marks its transfers as sent. */
export function DistributionFiles({ distribution }: { distribution: Schemas['DistributionPreview'] }) {
  const { t } = useTranslation()
  const { id, files } = distribution
  // The worker writes further files without an event.
  const list = useList<File>(['distribution', id, 'files', files], (query) =>
    api.get('/distributions/{distributionId}/files', { path: { distributionId: id }, query }),
  )
  const actionsOf = useFileActions(distribution.offering_id)
  const columns: Column<File>[] = [
    { id: 'number', header: t('distributions.number'), width: 75, cell: ({ number }) => number },
    { id: 'status', header: t('orders.status'), width: 120, cell: ({ status }) => <State state={status} /> },
    figureColumn('transfers', t('payouts.transfers'), 110, (one) => one.transfers),
    {
      id: 'amount',
      header: t('payouts.sum'),
      isRight: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    timeColumn('downloaded', t('distributions.downloadedAt'), (one) => one.downloaded_at),
    actionsColumn(t('parts.actions'), 130, actionsOf),
  ]
  return (
    <TableCard title={t('distributions.files')} list={list} emptyText={t('distributions.noFiles')} columns={columns} />
  )
}
