import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { actionsColumn, type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { State } from '../parts/state.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'

type Delivery = Schemas['WebhookDelivery']

export function WebhookDeliveries({ endpointId }: { endpointId: string }) {
  const { t } = useTranslation()
  const may = useMay()
  const resendAll = useResendAll(endpointId)
  const [openId, setOpenId] = useState<string>()
  const list = useList<Delivery>(['webhook-endpoint', endpointId, 'deliveries'], (query) =>
    api.get('/webhook-endpoints/{endpointId}/deliveries', { path: { endpointId }, query }),
  )
  return (
    <div className="stack">
      <DataTable
        onOpen={({ event_id: id }) => setOpenId(id)}
        {...(may('integrations') && {
          selectionActions: (chosen: readonly Delivery[], clear: () => void) => (
            <Actions actions={[resendAll(chosen, clear)]} />
          ),
        })}
        label={t('developers.deliveries')}
        list={list}
        idOf={({ event_id: id }) => id}
        isShort
        emptyText={t('developers.noDeliveries')}
        columns={useDeliveryColumns(endpointId)}
      />
      {openId && <DeliveryDetail endpointId={endpointId} eventId={openId} />}
    </div>
  )
}

function useDeliveryColumns(endpointId: string): Column<Delivery>[] {
  const { t } = useTranslation()
  const may = useMay()
  const resend = useResend(endpointId)
  return [
    { id: 'type', header: t('developers.event'), cell: ({ event_type: type }) => type },
    { id: 'state', header: t('orders.status'), width: 130, cell: ({ state }) => <State state={state} /> },
    figureColumn('attempts', t('developers.attempts'), 90, (one) => one.attempt_count),
    timeColumn('created', t('orders.created'), (one) => one.created_at),
    actionsColumn(t('parts.actions'), 120, (delivery) =>
      may('integrations') && delivery.state !== 'PENDING' ? [resend(delivery)] : [],
    ),
  ]
}

function useResend(endpointId: string): (delivery: Delivery) => Action {
  const { t } = useTranslation()
  return ({ event_id: eventId, event_type: type }) => ({
    id: 'resend',
    label: t('developers.resend'),
    consequence: t('developers.resendText', { type }),
    run: (key) =>
      api.post('/webhook-endpoints/{endpointId}/deliveries/{eventId}/resend', { path: { endpointId, eventId }, key }),
    done: t('developers.resent'),
  })
}

/** Resends the selected deliveries together and clears the selection. */
function useResendAll(endpointId: string): (chosen: readonly Delivery[], clear: () => void) => Action {
  const { t } = useTranslation()
  return (chosen, clear) => ({
    id: 'resend-all',
    label: t('developers.resend'),
    consequence: t('developers.resendAllText', { count: chosen.length }),
    run: (key) =>
      api.post('/bulk/resendWebhookDelivery', {
        key,
        body: { items: chosen.map(({ event_id: eventId }) => ({ endpoint_id: endpointId, event_id: eventId })) },
      }),
    done: t('developers.resent'),
    onDone: clear,
  })
}
