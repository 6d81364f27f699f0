import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Money } from '../parts/money.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { isWorkKind, type WorkKind } from './work-kinds.ts'
import { workTarget } from './work-target.ts'

type Item = Schemas['WorkItem']

const route = getRouteApi('/work/$kind')

export function WorkListScreen() {
  const { kind } = route.useParams()
  return isWorkKind(kind) ? <WorkList key={kind} kind={kind} /> : <NotFound />
}

/** Work of one kind, oldest first. */
function WorkList({ kind }: { kind: WorkKind }) {
  const { t } = useTranslation()
  const { direction } = route.useSearch()
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const list = useList<Item>(['work', kind, direction], (page) => {
    const query = { ...page, ...(direction === 'desc' && { direction: 'desc' as const }) }
    return api.get('/work/{kind}', { path: { kind }, query })
  })
  return (
    <div className="page page-list">
      <div className="small muted">
        <Link className="link" to="/">
          {t('nav.work')}
        </Link>
      </div>
      <PageTitle title={t(`work.kinds.${kind}`)} count={list.count} />
      <p className="muted">{t(`work.ends.${kind}`)}</p>
      <DataTable
        label={t(`work.kinds.${kind}`)}
        list={list}
        columns={useColumns(list.items)}
        direction={direction ?? 'asc'}
        onDirection={(next) => setSearch({ direction: next })}
        onOpen={({ target }) => void navigate(workTarget(target))}
        emptyText={t('work.emptyKind')}
      />
    </div>
  )
}

function useColumns(items: readonly Item[]): Column<Item>[] {
  const { t } = useTranslation()
  const isMoney = items.some(({ amount }) => amount !== null)
  return [
    {
      id: 'name',
      header: t('work.item'),
      cell: ({ name, target }) => (
        <Link className="plain" {...workTarget(target)} tabIndex={-1}>
          {name}
        </Link>
      ),
    },
    ...(isMoney
      ? [
          figureColumn(
            'amount',
            t('orders.amount'),
            160,
            ({ amount, currency }: Item) =>
              amount !== null && currency !== null && <Money amount={amount} currency={currency} />,
          ),
        ]
      : []),
    timeColumn('since', t('work.since'), (one) => one.since, { width: 220, isSorted: true }),
  ]
}
