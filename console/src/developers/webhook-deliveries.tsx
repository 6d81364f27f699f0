import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'

type Delivery = Schemas['WebhookDelivery']

export function WebhookDeliveries({ endpointId }: { endpointId: string }) {
  const { t } = useTranslation()
  const may = useMay()
  const resendAll = useResendAll(endpointId)
  const [openId, setOpenId] = useState<string>()
  const list = useList<Delivery>(['webhook-endpoint', endpointId, 'deliveries'], (query) =>
    bodyOf(api.GET('/webhook-endpoints/{endpointId}/deliveries', { params: { path: { endpointId }, query } })),
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
    {
      id: 'attempts',
      header: t('developers.attempts'),
      isRight: true,
      width: 90,
      cell: ({ attempt_count: count }) => count,
    },
    {
      id: 'created',
      header: t('orders.created'),
      width: 140,
      cell: ({ created_at: at }) => <Time time={at} isRelative />,
    },
    {
      id: 'actions',
      header: t('parts.actions'),
      width: 120,
      cell: (delivery) => (
        <Actions actions={may('integrations') && delivery.state !== 'PENDING' ? [resend(delivery)] : []} isCompact />
      ),
    },
  ]
}

function useResend(endpointId: string): (delivery: Delivery) => Action {
  const { t } = useTranslation()
  return ({ event_id: eventId, event_type: type }) => ({
    id: 'resend',
    label: t('developers.resend'),
    consequence: t('developers.resendText', { type }),
    run: (key) =>
      bodyOf(
        api.POST('/webhook-endpoints/{endpointId}/deliveries/{eventId}/resend', {
          params: { path: { endpointId, eventId }, header: once(key) },
        }),
      ),
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
      bodyOf(
        api.POST('/bulk/resendWebhookDelivery', {
          params: { header: once(key) },
          body: { items: chosen.map(({ event_id: eventId }) => ({ endpoint_id: endpointId, event_id: eventId })) },
        }),
      ),
    done: t('developers.resent'),
    onDone: clear,
  })
}
