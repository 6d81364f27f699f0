import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { actionsColumn, type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { useEndpointActions } from './endpoint-actions.ts'
import { type OnSecret, secretOf } from './secret-of.ts'
import { WebhookDeliveries } from './webhook-deliveries.tsx'

type Endpoint = Schemas['WebhookEndpoint']

export function WebhookEndpoints({ onSecret }: { onSecret: OnSecret }) {
  const { t } = useTranslation()
  const may = useMay()
  const add = useAddEndpointAction(onSecret)
  const [open, setOpen] = useState<Endpoint>()
  const list = useList<Endpoint>(['webhook-endpoints'], (query) => api.get('/webhook-endpoints', { query }))
  return (
    <TableCard
      title={t('developers.webhooks')}
      actions={may('integrations') ? [add] : []}
      list={list}
      onOpen={setOpen}
      emptyText={t('developers.noEndpoints')}
      columns={useEndpointColumns(onSecret)}
    >
      {open && (
        <SidePanel title={open.url} onClose={() => setOpen(undefined)}>
          <WebhookDeliveries endpointId={open.id} />
        </SidePanel>
      )}
    </TableCard>
  )
}

function useEndpointColumns(onSecret: OnSecret): Column<Endpoint>[] {
  const { t } = useTranslation()
  return [
    { id: 'url', header: 'URL', cell: ({ url }) => url },
    { id: 'description', header: t('developers.description'), cell: ({ description }) => description },
    { id: 'state', header: t('orders.status'), width: 160, cell: (one) => <EndpointState endpoint={one} /> },
    figureColumn('failures', t('developers.failures'), 100, (one) => one.failures),
    timeColumn('created', t('orders.created'), (one) => one.created_at, { width: 130 }),
    actionsColumn(t('parts.actions'), 150, useEndpointActions(onSecret)),
  ]
}

function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation()
  if (endpoint.disabled_at) return <State state="failed" label={t('developers.disabled')} />
  if (!endpoint.verified_at) return <State state="PENDING" label={t('developers.unverified')} />
  if (endpoint.failing_since) return <State state="open" label={t('developers.failing')} />
  return <State state="ACTIVE" />
}

function useAddEndpointAction(onSecret: OnSecret): Action {
  const { t } = useTranslation()
  return {
    id: 'add',
    label: t('developers.addEndpoint'),
    consequence: t('developers.addEndpointText'),
    fields: [
      { name: 'url', label: 'URL', kind: 'text' },
      { name: 'description', label: t('developers.description'), kind: 'text', isOptional: true },
    ],
    run: (_key, { url = '', description = '' }) => api.post('/webhook-endpoints', { body: { url, description } }),
    done: t('developers.endpointAdded'),
    onDone: (result) => onSecret(secretOf(result)),
  }
}
