import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { DataTable } from '../parts/data-table.tsx'
import { JsonText } from '../parts/json-text.tsx'
import { Time } from '../parts/time.tsx'

const SidePanel = lazy(async () => ({ default: (await import('../parts/side-panel.tsx')).SidePanel }))

type Event = Schemas['OperatorEvent']

/** Events of the last 30 days, as integrators and operators receive them. */
export function Events() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Event>()
  const list = useList<Event>(['events'], (query) => bodyOf(api.GET('/events', { params: { query } })))
  return (
    <section className="card">
      <h2>{t('developers.events')}</h2>
      <DataTable
        label={t('developers.events')}
        list={list}
        idOf={({ id }) => id}
        isShort
        onOpen={setOpen}
        emptyText={t('developers.noEvents')}
        columns={[
          { id: 'sequence', header: t('developers.sequence'), isRight: true, width: 100, cell: (one) => one.sequence },
          { id: 'type', header: t('developers.event'), width: 260, cell: ({ type }) => type },
          {
            id: 'data',
            header: t('developers.data'),
            cell: ({ data }) => <span className="mono muted">{JSON.stringify(data)}</span>,
          },
          {
            id: 'at',
            header: t('audit.time'),
            width: 140,
            cell: ({ created_at: at }) => <Time time={at} isRelative />,
          },
        ]}
      />
      <Suspense>
        {open && (
          <SidePanel title={`${open.sequence} ${open.type}`} onClose={() => setOpen(undefined)}>
            <JsonText text={JSON.stringify(open.data)} />
          </SidePanel>
        )}
      </Suspense>
    </section>
  )
}
