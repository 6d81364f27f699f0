import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useNameOf } from '../api/people.ts'
import { type Column, copiedColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { Diff } from '../parts/diff.tsx'
import { Facts } from '../parts/facts.tsx'
import type { Filter } from '../parts/filter.ts'
import { ListScreen, useFilteredList } from '../parts/list-screen.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { Time } from '../parts/time.tsx'
import { actorText } from './actor.ts'
import { VerifyLog } from './verify-log.tsx'

type Entry = Schemas['AuditRecord']

const route = getRouteApi('/audit')

/** The audit log of the tenant's data, or of people, duties and credentials. */
export function AuditScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const nameOf = useNameOf()
  const [open, setOpen] = useState<Entry>()
  const { log, from, to } = search
  const list = useFilteredList('audit', search, (query) => {
    const times = { ...(from && { from: `${from}T00:00:00.000Z` }), ...(to && { to: `${to}T23:59:59.999Z` }) }
    const options = { query: { ...query, log: undefined, ...times } }
    return log === 'directory' ? api.get('/directory-audit', options) : api.get('/audit', options)
  })
  const columns = useAuditColumns(nameOf)
  const bar = useAuditFilters()
  return (
    <>
      <ListScreen
        title={t('nav.audit')}
        operation="listAudit"
        list={list}
        columns={columns}
        idOf={({ sequence }) => String(sequence)}
        search={search}
        filters={bar}
        onOpen={setOpen}
        emptyText={t('audit.empty')}
        aside={<VerifyLog key={log ?? 'cell'} log={log === 'directory' ? 'directory' : 'cell'} />}
      />
      {open && (
        <SidePanel title={open.action} onClose={() => setOpen(undefined)}>
          <Record entry={open} />
        </SidePanel>
      )}
    </>
  )
}

function Record({ entry }: { entry: Entry }) {
  const { t } = useTranslation()
  const nameOf = useNameOf()
  return (
    <div className="stack">
      <Facts
        facts={{
          [t('audit.time')]: <Time time={entry.at} />,
          [t('audit.actor')]: entry.actor_name ?? actorText(entry, nameOf),
          [t('audit.confirmedBy')]: entry.confirmed_by_name ?? undefined,
          [t('audit.subject')]: (
            <>
              {entry.subject_type} <Copied text={entry.subject_id} />
            </>
          ),
          [t('audit.requestId')]: entry.request_id && <Copied text={entry.request_id} />,
        }}
      />
      <Diff before={entry.before} after={entry.after} />
    </div>
  )
}

function useAuditFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'log',
      label: t('audit.log'),
      options: [{ value: 'directory', label: t('audit.directory') }],
    },
    { name: 'subject_id', label: t('audit.subjectId') },
    { name: 'actor_id', label: t('audit.actorId') },
    { name: 'action', label: t('audit.action') },
    { name: 'request_id', label: t('audit.requestId') },
    { name: 'from', label: t('reports.from'), kind: 'day' },
    { name: 'to', label: t('reports.to'), kind: 'day' },
  ]
}

function useAuditColumns(nameOf: (userId: string | null) => string): Column<Entry>[] {
  const { t } = useTranslation()
  return [
    { id: 'time', header: t('audit.time'), width: 190, isSorted: true, cell: ({ at }) => <Time time={at} /> },
    {
      id: 'actor',
      header: t('audit.actor'),
      width: 260,
      cell: (entry) => entry.actor_name ?? actorText(entry, nameOf),
    },
    { id: 'action', header: t('audit.action'), cell: ({ action }) => action },
    { id: 'subject', header: t('audit.subject'), width: 180, cell: ({ subject_type: type }) => type },
    copiedColumn('id', t('audit.subjectId'), 150, (one) => one.subject_id),
  ]
}
