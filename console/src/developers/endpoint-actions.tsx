import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { secretOf } from './secret-of.ts'

interface EndpointActionsProps {
  readonly endpoint: Schemas['WebhookEndpoint']
  readonly onSecret: (secret: string | undefined) => void
}

/** Ping, resend, change, rotate, disable; enable while it is disabled. */
export function EndpointActions({ endpoint, onSecret }: EndpointActionsProps) {
  const { t } = useTranslation()
  const may = useMay()
  const { url, description } = endpoint
  if (!may('integrations')) return null
  const path = { endpointId: endpoint.id }
  const params = (key: string) => ({ params: { path, header: once(key) } })
  const done = t('developers.endpointChanged')
  if (endpoint.disabled_at)
    return (
      <Actions
        isCompact
        actions={[
          {
            id: 'enable',
            label: t('developers.enable'),
            consequence: t('developers.enableEndpointText', { url }),
            run: (key) => bodyOf(api.POST('/webhook-endpoints/{endpointId}/enable', params(key))),
            done,
          },
        ]}
      />
    )
  const actions: Action[] = [
    {
      id: 'ping',
      label: t('developers.ping'),
      consequence: t('developers.pingEndpointText', { url }),
      run: (key) => bodyOf(api.POST('/webhook-endpoints/{endpointId}/ping', params(key))),
      done,
    },
    {
      id: 'resend',
      label: t('developers.resendSince'),
      consequence: t('developers.resendSinceText', { url }),
      fields: [{ name: 'since', label: t('developers.since'), kind: 'time' }],
      run: (key, { since = '' }) =>
        bodyOf(
          api.POST('/webhook-endpoints/{endpointId}/resend', {
            ...params(key),
            body: { since: new Date(since).toISOString() },
          }),
        ),
      done: t('developers.resent'),
    },
    {
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
        bodyOf(
          api.PATCH('/webhook-endpoints/{endpointId}', {
            params: { path },
            body: { url: values['url'] ?? url, description: values['description'] ?? '' },
          }),
        ),
      done,
    },
    {
      id: 'rotate',
      label: t('developers.rotate'),
      consequence: t('developers.rotateEndpointText'),
      run: () => bodyOf(api.POST('/webhook-endpoints/{endpointId}/rotate', { params: { path }, body: {} })),
      done: t('developers.rotated'),
      onDone: (result) => onSecret(secretOf(result)),
    },
    {
      id: 'disable',
      label: t('developers.disable'),
      isDangerous: true,
      consequence: t('developers.disableEndpointText', { url }),
      run: (key) => bodyOf(api.POST('/webhook-endpoints/{endpointId}/disable', params(key))),
      done,
    },
  ]
  return <Actions actions={actions} isCompact />
}
