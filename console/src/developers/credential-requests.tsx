import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { type Column, copiedColumn, figureColumn, timeColumn } from '../parts/columns.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { State } from '../parts/state.tsx'

type LoggedRequest = Schemas['LoggedRequest']

/** Requests of the integrator in the last 30 days, without bodies. */
export function CredentialRequests({ clientId }: { clientId: string }) {
  const { t } = useTranslation()
  const [onlyFailed, setOnlyFailed] = useState(false)
  const list = useList<LoggedRequest>(['credential-requests', clientId, onlyFailed], (page) =>
    api.get('/credential-requests', { query: { client_id: clientId, failed: onlyFailed ? 'true' : 'false', ...page } }),
  )
  return (
    <div className="stack">
      <Checkbox
        label={t('developers.onlyFailed')}
        checked={onlyFailed}
        onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
      />
      <DataTable
        label={t('developers.requests')}
        list={list}
        isShort
        emptyText={t('developers.noRequests')}
        columns={useRequestColumns()}
      />
    </div>
  )
}

function useRequestColumns(): Column<LoggedRequest>[] {
  const { t } = useTranslation()
  return [
    {
      id: 'request',
      header: t('audit.requestId'),
      cell: ({ method, path }) => (
        <span className="mono" title={path}>
          {method} {path}
        </span>
      ),
    },
    {
      id: 'status',
      header: t('orders.status'),
      width: 190,
      cell: ({ status, code }) => (
        <State
          state={String(status)}
          tone={status < 400 ? 'done' : status < 500 ? 'attention' : 'failed'}
          label={code ? `${status} ${code}` : String(status)}
        />
      ),
    },
    figureColumn('duration', 'ms', 70, ({ duration_ms: duration }) => Math.round(Number(duration))),
    copiedColumn('id', t('developers.id'), 120, (one) => one.request_id),
    timeColumn('at', t('audit.time'), (one) => one.responded_at),
  ]
}
