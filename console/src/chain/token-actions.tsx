import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useNameOf } from '../api/people.ts'
import { tokenActionMembers } from '../offerings/token-actions.ts'
import { type Column, timeColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { Time } from '../parts/time.tsx'

type TokenAction = Schemas['TokenAction']
const members = Object.keys(tokenActionMembers) as (keyof typeof tokenActionMembers)[]

/** Freezes, forced transfers and the like, from proposal to execution. */
export function TokenActions() {
  const { t } = useTranslation()
  const nameOf = useNameOf()
  const [openId, setOpenId] = useState<string>()
  const list = useList<TokenAction>(['token-actions'], (query) => api.get('/token-actions', { query }))
  if (list.items.length === 0) return null
  const columns: Column<TokenAction>[] = [
    { id: 'kind', header: t('settlement.kind'), width: 180, cell: ({ kind }) => kind.replaceAll('_', ' ') },
    { id: 'state', header: t('orders.status'), width: 150, cell: ({ state }) => <State state={state} /> },
    { id: 'reason', header: t('parts.reason'), cell: ({ reason }) => reason },
    { id: 'by', header: t('approvals.proposedBy'), width: 180, cell: ({ proposed_by: id }) => nameOf(id) },
    timeColumn('at', t('approvals.proposedAt'), (one) => one.proposed_at),
  ]
  return (
    <TableCard
      title={t('chain.tokenActions')}
      list={list}
      onOpen={({ id }) => setOpenId(id)}
      emptyText={t('chain.noTokenActions')}
      columns={columns}
    >
      {openId && (
        <SidePanel title={t('chain.tokenActions')} onClose={() => setOpenId(undefined)}>
          <TokenActionDetail actionId={openId} />
        </SidePanel>
      )}
    </TableCard>
  )
}

function TokenActionDetail({ actionId }: { actionId: string }) {
  const { t } = useTranslation()
  const nameOf = useNameOf()
  const { data } = useQuery({
    queryKey: ['token-action', actionId],
    queryFn: () => api.get('/token-actions/{actionId}', { path: { actionId } }),
  })
  if (!data) return null
  const copied = (text: string | null) => text && <Copied text={text} />
  const shown = (name: (typeof members)[number]) =>
    tokenActionMembers[name] === 'copied' ? copied(data[name]) : data[name]
  return (
    <Facts
      facts={{
        [t('settlement.kind')]: data.kind.replaceAll('_', ' '),
        [t('orders.status')]: <State state={data.state} />,
        ...Object.fromEntries(members.map((name) => [t(`token.${name}`), shown(name)])),
        [t('parts.reason')]: data.reason,
        [t('approvals.proposedBy')]: nameOf(data.proposed_by),
        [t('approvals.decidedBy')]: data.decided_by && nameOf(data.decided_by),
        [t('approvals.expires')]: <Time time={data.expires_at} />,
        [t('chain.op')]: copied(data.chain_op_id),
      }}
    />
  )
}
