import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { type OnSecret, secretOf } from './secret-of.ts'

type Provider = Schemas['PaymentProvider']

export function PaymentProviders({ onSecret }: { onSecret: OnSecret }) {
  const { t } = useTranslation()
  const may = useMay()
  const add = useAddProviderAction(onSecret)
  const list = useList<Provider>(['payment-providers'], (query) =>
    bodyOf(api.GET('/payment-providers', { params: { query } })),
  )
  return (
    <section className="card">
      <div className="spread section-title">
        <h2>{t('developers.providers')}</h2>
        <Actions actions={may('integrations') ? [add] : []} isCompact />
      </div>
      <DataTable
        label={t('developers.providers')}
        list={list}
        idOf={({ id }) => id}
        isShort
        emptyText={t('developers.noProviders')}
        columns={useProviderColumns(onSecret)}
      />
    </section>
  )
}

function useProviderColumns(onSecret: OnSecret): Column<Provider>[] {
  const { t } = useTranslation()
  const actionsOf = useProviderActions(onSecret)
  return [
    { id: 'name', header: t('investors.name'), cell: ({ name }) => name },
    { id: 'kind', header: t('settlement.kind'), width: 110, cell: ({ kind }) => kind },
    {
      id: 'path',
      header: t('developers.path'),
      cell: ({ notification_path: path }) => (
        <span className="mono" title={path}>
          {path}
        </span>
      ),
    },
    {
      id: 'state',
      header: t('orders.status'),
      width: 120,
      cell: ({ disabled_at: at }) =>
        at ? <State state="failed" label={t('developers.disabled')} /> : <State state="ACTIVE" />,
    },
    {
      id: 'last',
      header: t('developers.lastNotification'),
      width: 150,
      cell: ({ last_notification_at: at }) => <Time time={at} isRelative />,
    },
    {
      id: 'actions',
      header: t('parts.actions'),
      width: 210,
      cell: (one) => <Actions actions={actionsOf(one)} isCompact />,
    },
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
      bodyOf(
        api.POST('/payment-providers', {
          body: { kind: kind as Provider['kind'], name, ...(secret && { secret }) },
        }),
      ),
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
      bodyOf(
        api.POST('/payment-providers/{providerId}/rotate', {
          params: { path: { providerId: id } },
          body: secret ? { secret } : {},
        }),
      ),
    done: t('developers.rotated'),
    onDone: (result) => onSecret(secretOf(result)),
  })
  const disable = ({ id, name }: Provider): Action => ({
    id: 'disable',
    label: t('developers.disable'),
    isDangerous: true,
    consequence: t('developers.disableProviderText', { name }),
    run: () => bodyOf(api.POST('/payment-providers/{providerId}/disable', { params: { path: { providerId: id } } })),
    done: t('developers.disableDone'),
  })
  return (provider) => (may('integrations') && !provider.disabled_at ? [rotate(provider), disable(provider)] : [])
}
