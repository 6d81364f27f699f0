import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { actionsColumn, type Column, unitsColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'

type Offering = Schemas['OperatorOffering']

/** Every offering that is or was on sale: whether it can be minted and, on request, a comparison with its chain. */
export function Tokens() {
  const { t } = useTranslation()
  const may = useMay()
  const navigate = useNavigate()
  const list = useList<Offering>(['offerings', 'tokens'], (page) =>
    api.get('/offerings', { query: { status: ['OPEN', 'PAUSED', 'CLOSED'], ...page } }),
  )
  const reconcile = ({ id }: Offering) => ({
    id: 'reconcile',
    label: t('chain.reconcile'),
    consequence: t('chain.reconcileText'),
    run: (key: string) => api.post('/offerings/{offeringId}/reconcile', { path: { offeringId: id }, key }),
    done: t('chain.reconcileDone'),
  })
  const columns: Column<Offering>[] = [
    { id: 'name', header: t('offerings.name'), cell: ({ name }) => name },
    { id: 'chain', header: t('offerings.blockchain'), width: 110, cell: ({ blockchain }) => blockchain },
    {
      id: 'token',
      header: t('offerings.token'),
      width: 150,
      cell: ({ token_address: token }) => (token ? <Copied text={token} /> : <span className="muted">–</span>),
    },
    unitsColumn('issued', t('offerings.issued'), 130, ({ issued_units: units, decimals }) => ({ units, decimals })),
    { id: 'minting', header: t('offerings.minting'), width: 190, cell: (one) => <MintingState offering={one} /> },
    actionsColumn(t('parts.actions'), 170, (one) =>
      one.token_address && may('settlement', one.id) ? [reconcile(one)] : [],
    ),
  ]
  return (
    <TableCard
      title={t('chain.tokens')}
      list={list}
      onOpen={({ id }) => void navigate({ to: '/offerings/$offeringId', params: { offeringId: id } })}
      emptyText={t('register.none')}
      columns={columns}
    />
  )
}

function MintingState({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  if (offering.minting_stopped !== null) return <State state="failed" label={t('offerings.stopped')} />
  if (offering.token_rejection !== null) return <State state="failed" label={t('chain.rejected')} />
  if (offering.token_address === null) return <State state="waiting" tone="waiting" label={t('chain.notDeployed')} />
  return <State state="ready" tone="done" label={t('chain.canMint')} />
}
