import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type OnSecret, secretOf } from './secret-of.ts'

type Endpoint = Schemas['WebhookEndpoint']

interface EndpointActionsProps {
  readonly endpoint: Endpoint
  readonly onSecret: OnSecret
}

/** Actions of an endpoint: ping, resend, change, rotate and disable, or enable while it is disabled. */
export function EndpointActions({ endpoint, onSecret }: EndpointActionsProps) {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('integrations')) return null
  const actions = endpoint.disabled_at
    ? [enableAction(endpoint, t)]
    : [
        pingAction(endpoint, t),
        resendAction(endpoint, t),
        changeAction(endpoint, t),
        rotateAction(endpoint, onSecret, t),
        disableAction(endpoint, t),
      ]
  return <Actions actions={actions} isCompact />
}

function pathOf({ id }: Endpoint) {
  return { endpointId: id }
}

function paramsOf(endpoint: Endpoint, key: string) {
  return { path: pathOf(endpoint), key }
}

function enableAction(endpoint: Endpoint, t: TFunction): Action {
  return {
    id: 'enable',
    label: t('developers.enable'),
    consequence: t('developers.enableEndpointText', { url: endpoint.url }),
    run: (key) => api.post('/webhook-endpoints/{endpointId}/enable', paramsOf(endpoint, key)),
    done: t('developers.endpointChanged'),
  }
}

function pingAction(endpoint: Endpoint, t: TFunction): Action {
  return {
    id: 'ping',
    label: t('developers.ping'),
    consequence: t('developers.pingEndpointText', { url: endpoint.url }),
    run: (key) => api.post('/webhook-endpoints/{endpointId}/ping', paramsOf(endpoint, key)),
    done: t('developers.endpointChanged'),
  }
}

function resendAction(endpoint: Endpoint, t: TFunction): Action {
  return {
    id: 'resend',
    label: t('developers.resendSince'),
    consequence: t('developers.resendSinceText', { url: endpoint.url }),
    fields: [{ name: 'since', label: t('developers.since'), kind: 'time' }],
    run: (key, { since = '' }) =>
      api.post('/webhook-endpoints/{endpointId}/resend', {
        ...paramsOf(endpoint, key),
        body: { since: new Date(since).toISOString() },
      }),
    done: t('developers.resent'),
  }
}

function changeAction(endpoint: Endpoint, t: TFunction): Action {
  const { url, description } = endpoint
  return {
    id: 'change',
    label: t('developers.change'),
    consequence: t('developers.changeEndpointText'),
    fields: [
      { name: 'url', label: 'URL', kind: 'text', initial: url },
      { name: 'description', label: t('developers.description'), kind: 'text', initial: description, isOptional: true },
    ],
    run: (_key, values) =>
      api.patch('/webhook-endpoints/{endpointId}', {
        path: pathOf(endpoint),
        body: { url: values['url'] ?? url, description: values['description'] ?? '' },
      }),
    done: t('developers.endpointChanged'),
  }
}

function rotateAction(endpoint: Endpoint, onSecret: EndpointActionsProps['onSecret'], t: TFunction): Action {
  return {
    id: 'rotate',
    label: t('developers.rotate'),
    consequence: t('developers.rotateEndpointText'),
    run: () => api.post('/webhook-endpoints/{endpointId}/rotate', { path: pathOf(endpoint), body: {} }),
    done: t('developers.rotated'),
    onDone: (result) => onSecret(secretOf(result)),
  }
}

function disableAction(endpoint: Endpoint, t: TFunction): Action {
  return {
    id: 'disable',
    label: t('developers.disable'),
    isDangerous: true,
    consequence: t('developers.disableEndpointText', { url: endpoint.url }),
    run: (key) => api.post('/webhook-endpoints/{endpointId}/disable', paramsOf(endpoint, key)),
    done: t('developers.endpointChanged'),
  }
}
