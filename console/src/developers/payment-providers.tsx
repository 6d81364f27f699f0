import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { actionsColumn, type Column, textColumn, timeColumn } from '../parts/columns.tsx'
import { optionsOf } from '../parts/filter.ts'
import { TableCard } from '../parts/table-card.tsx'
import { ActiveState } from './active-state.tsx'
import { type OnSecret, secretOf } from './secret-of.ts'

type Provider = Schemas['PaymentProvider']

export function PaymentProviders({ onSecret }: { onSecret: OnSecret }) {
  const { t } = useTranslation()
  const may = useMay()
  const add = useAddProviderAction(onSecret)
  const list = useList<Provider>(['payment-providers'], (query) => api.get('/payment-providers', { query }))
  return (
    <TableCard
      title={t('developers.providers')}
      actions={may('integrations') ? [add] : []}
      list={list}
      emptyText={t('developers.noProviders')}
      columns={useProviderColumns(onSecret)}
    />
  )
}

function useProviderColumns(onSecret: OnSecret): Column<Provider>[] {
  const { t } = useTranslation()
  const actionsOf = useProviderActions(onSecret)
  return [
    { id: 'name', header: t('investors.name'), cell: ({ name }) => name },
    { id: 'kind', header: t('settlement.kind'), width: 110, cell: ({ kind }) => kind },
    textColumn('path', t('developers.path'), (one) => one.notification_path, 'mono'),
    { id: 'state', header: t('orders.status'), width: 120, cell: (one) => <ActiveState {...one} /> },
    timeColumn('last', t('developers.lastNotification'), (one) => one.last_notification_at, { width: 150 }),
    actionsColumn(t('parts.actions'), 210, actionsOf),
  ]
}

function useAddProviderAction(onSecret: OnSecret): Action {
  const { t } = useTranslation()
  return {
    id: 'add',
    label: t('developers.addProvider'),
    consequence: t('developers.addProviderText'),
    fields: [
      { name: 'kind', label: t('settlement.kind'), kind: 'choice', options: optionsOf(['standard', 'stripe']) },
      { name: 'name', label: t('investors.name'), kind: 'text' },
      { name: 'secret', label: t('developers.providerSecret'), kind: 'text', isOptional: true },
    ],
    run: (_key, { kind = '', name = '', secret = '' }) =>
      api.post('/payment-providers', { body: { kind: kind as Provider['kind'], name, ...(secret && { secret }) } }),
    done: t('developers.providerAdded'),
    onDone: (result) => onSecret(secretOf(result)),
  }
}

/** Returns the actions of a provider. A disabled one has none, because it stays disabled. */
function useProviderActions(onSecret: OnSecret): (provider: Provider) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  const rotate = ({ id, name, kind }: Provider): Action => ({
    id: 'rotate',
    label: t('developers.rotate'),
    consequence: t('developers.rotateText', { name }),
    fields: kind === 'stripe' ? [{ name: 'secret', label: t('developers.providerSecret'), kind: 'text' }] : [],
    run: (_key, { secret }) =>
      api.post('/payment-providers/{providerId}/rotate', { path: { providerId: id }, body: secret ? { secret } : {} }),
    done: t('developers.rotated'),
    onDone: (result) => onSecret(secretOf(result)),
  })
  const disable = ({ id, name }: Provider): Action => ({
    id: 'disable',
    label: t('developers.disable'),
    isDangerous: true,
    consequence: t('developers.disableProviderText', { name }),
    run: () => api.post('/payment-providers/{providerId}/disable', { path: { providerId: id } }),
    done: t('developers.disableDone'),
  })
  return (provider) => (may('integrations') && !provider.disabled_at ? [rotate(provider), disable(provider)] : [])
}
