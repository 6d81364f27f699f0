import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { JsonText } from '../parts/json-text.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { TableCard } from '../parts/table-card.tsx'

type Event = Schemas['OperatorEvent']

/** Events of the last 30 days, as integrators and operators receive them. */
export function Events() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Event>()
  const list = useList<Event>(['events'], (query) => api.get('/events', { query }))
  const columns: Column<Event>[] = [
    figureColumn('sequence', t('developers.sequence'), 100, (one) => one.sequence),
    { id: 'type', header: t('developers.event'), width: 260, cell: ({ type }) => type },
    {
      id: 'data',
      header: t('developers.data'),
      cell: ({ data }) => <span className="mono muted">{JSON.stringify(data)}</span>,
    },
    timeColumn('at', t('audit.time'), (one) => one.created_at),
  ]
  return (
    <TableCard
      title={t('developers.events')}
      list={list}
      onOpen={setOpen}
      emptyText={t('developers.noEvents')}
      columns={columns}
    >
      {open && (
        <SidePanel title={`${open.sequence} ${open.type}`} onClose={() => setOpen(undefined)}>
          <JsonText text={JSON.stringify(open.data)} />
        </SidePanel>
      )}
    </TableCard>
  )
}
