import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { type OnSecret, secretOf } from './secret-of.ts'

type Endpoint = Schemas['WebhookEndpoint']

/** Actions of an endpoint: ping, resend, change, rotate and disable, or enable while it is disabled. */
export function useEndpointActions(onSecret: OnSecret): (endpoint: Endpoint) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id: endpointId, url, description, disabled_at: disabledAt }) => {
    if (!may('integrations')) return []
    const path = { endpointId }
    const simple = (verb: 'enable' | 'ping' | 'disable'): Action => ({
      id: verb,
      label: t(`developers.${verb}`),
      isDangerous: verb === 'disable',
      consequence: t(`developers.${verb}EndpointText`, { url }),
      run: (key) => api.post(`/webhook-endpoints/{endpointId}/${verb}`, { path, key }),
      done: t('developers.endpointChanged'),
    })
    const resend: Action = {
      id: 'resend',
      label: t('developers.resendSince'),
      consequence: t('developers.resendSinceText', { url }),
      fields: [{ name: 'since', label: t('developers.since'), kind: 'time' }],
      run: (key, { since = '' }) =>
        api.post('/webhook-endpoints/{endpointId}/resend', {
          path,
          key,
          body: { since: new Date(since).toISOString() },
        }),
      done: t('developers.resent'),
    }
    const change: Action = {
      id: 'change',
      label: t('developers.change'),
      consequence: t('developers.changeEndpointText'),
      fields: [
        { name: 'url', label: 'URL', kind: 'text', initial: url },
        {
          name: 'description',
          label: t('developers.description'),
          kind: 'text',
          initial: description,
          isOptional: true,
        },
      ],
      run: (_key, values) =>
        api.patch('/webhook-endpoints/{endpointId}', {
          path,
          body: { url: values['url'] ?? url, description: values['description'] ?? '' },
        }),
      done: t('developers.endpointChanged'),
    }
    const rotate: Action = {
      id: 'rotate',
      label: t('developers.rotate'),
      consequence: t('developers.rotateEndpointText'),
      run: () => api.post('/webhook-endpoints/{endpointId}/rotate', { path, body: {} }),
      done: t('developers.rotated'),
      onDone: (result) => onSecret(secretOf(result)),
    }
    return disabledAt ? [simple('enable')] : [simple('ping'), resend, change, rotate, simple('disable')]
  }
}
