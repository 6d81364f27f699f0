import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { actionsColumn, type Column, textColumn, timeColumn } from '../parts/columns.tsx'
import type { ActionField, Values } from '../parts/field-input.tsx'
import { optionsOf } from '../parts/filter.ts'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { ActiveState } from './active-state.tsx'
import { type OnSecret, secretOf } from './secret-of.ts'

type Provider = Schemas['KycProvider']

/** Providers that report results of KYC checks, and how their approvals are handled. */
export function KycProviders({ onSecret }: { onSecret: OnSecret }) {
  const { t } = useTranslation()
  const list = useList<Provider>(['kyc-providers'], (query) => api.get('/kyc-providers', { query }))
  const may = useMay()
  const add = useAddProviderAction(onSecret)
  return (
    <TableCard
      title={t('kyc.providers')}
      actions={may('integrations') ? [add] : []}
      list={list}
      emptyText={t('kyc.noProviders')}
      columns={useProviderColumns(onSecret)}
    />
  )
}

function useProviderColumns(onSecret: OnSecret): Column<Provider>[] {
  const { t } = useTranslation()
  const actionsOf = useProviderActions(onSecret)
  return [
    { id: 'name', header: t('investors.name'), width: 130, cell: ({ name }) => name },
    { id: 'kind', header: t('settlement.kind'), width: 140, cell: (one) => <Kind {...one} /> },
    {
      id: 'approvals',
      header: t('kyc.approvals'),
      width: 190,
      cell: ({ approvals }) => t(`kyc.handling.${approvals}`),
    },
    {
      id: 'validity',
      header: t('kyc.validity'),
      width: 120,
      cell: ({ validity_days: days }) => (days === null ? t('kyc.asProvider') : t('offerings.days', { count: days })),
    },
    textColumn('path', t('developers.path'), (one) => one.notification_path, 'mono'),
    { id: 'state', header: t('orders.status'), width: 110, cell: (one) => <ActiveState {...one} /> },
    timeColumn('last', t('kyc.lastResult'), (one) => one.last_result_at),
    actionsColumn(t('parts.actions'), 120, actionsOf),
  ]
}

/** Shows the kind and the levels whose reviews approve. A Sumsub provider without levels silently approves nothing. */
function Kind({ kind, kyc_levels: kyc, kyb_levels: kyb }: Provider) {
  const { t } = useTranslation()
  if (kind === 'standard') return kind
  if (kyc.length + kyb.length === 0) return <State state="failed" label={t('kyc.noLevels')} />
  const text = [...kyc.map((level) => `KYC ${level}`), ...kyb.map((level) => `KYB ${level}`)].join(', ')
  return <span title={text}>{`${kind}: ${text}`}</span>
}

/** Creating, changing or rotating may need a second person. A secret is shown only once. */
function useAddProviderAction(onSecret: OnSecret): Action {
  const { t } = useTranslation()
  return {
    id: 'add-kyc',
    label: t('kyc.add'),
    consequence: t('kyc.addText'),
    fields: [
      { name: 'kind', label: t('settlement.kind'), kind: 'choice', options: optionsOf(['standard', 'sumsub']) },
      { name: 'name', label: t('investors.name'), kind: 'text', hint: t('kyc.nameHint') },
      { ...secretField(t), isOptional: true },
      ...handlingFields('queue', null, t),
      ...levelFields([], [], t),
    ],
    run: (_key, values) => {
      const { kind = '', name = '', secret: given = '' } = values
      return api.post('/kyc-providers', {
        body: {
          kind: kind as Provider['kind'],
          name,
          ...(given && { secret: given }),
          ...handlingOf(values),
          ...(kind === 'sumsub' && levelsOf(values)),
        },
      })
    },
    done: t('kyc.added'),
    onDone: (result) => onSecret(secretOf(result)),
  }
}

function useProviderActions(onSecret: OnSecret): (provider: Provider) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return (provider) => {
    const { id, name, kind, approvals, validity_days: days, disabled_at: disabledAt } = provider
    const hasLevels = kind === 'sumsub'
    if (disabledAt !== null || !may('integrations')) return []
    const path = { kycProviderId: id }
    return [
      {
        id: 'change-kyc',
        label: t('developers.change'),
        consequence: t('kyc.changeText', { name }),
        fields: [
          ...handlingFields(approvals, days, t),
          ...(hasLevels ? levelFields(provider.kyc_levels, provider.kyb_levels, t) : []),
        ],
        run: (_key, values) => {
          const body = { ...handlingOf(values), ...(hasLevels && levelsOf(values)) }
          return api.patch('/kyc-providers/{kycProviderId}', { path, body })
        },
        done: t('kyc.changed'),
      },
      {
        id: 'rotate-kyc',
        label: t('developers.rotate'),
        consequence: t('kyc.rotateText', { name }),
        fields: hasLevels ? [secretField(t)] : [],
        run: (_key, { secret: given }) =>
          api.post('/kyc-providers/{kycProviderId}/rotate', { path, body: given ? { secret: given } : {} }),
        done: t('developers.rotated'),
        onDone: (result) => onSecret(secretOf(result)),
      },
      {
        id: 'disable-kyc',
        label: t('developers.disable'),
        isDangerous: true,
        consequence: t('kyc.disableText', { name }),
        run: () => api.post('/kyc-providers/{kycProviderId}/disable', { path }),
        done: t('developers.disableDone'),
      },
    ]
  }
}

function secretField(t: TFunction): ActionField {
  return { name: 'secret', label: t('kyc.secret'), kind: 'text', hint: t('kyc.secretHint') }
}

/** Fields for how an approval is handled and how long it is valid. */
function handlingFields(approvals: string, days: number | null, t: TFunction): ActionField[] {
  return [
    {
      name: 'approvals',
      label: t('kyc.approvals'),
      kind: 'choice',
      options: (['queue', 'apply'] as const).map((value) => ({ value, label: t(`kyc.handling.${value}`) })),
      initial: approvals,
      hint: t('kyc.approvalsHint'),
    },
    {
      name: 'validity_days',
      label: t('kyc.validityDays'),
      kind: 'text',
      initial: days === null ? '' : String(days),
      isOptional: true,
      hint: t('kyc.validityHint'),
    },
  ]
}

function handlingOf({ approvals, validity_days: days }: Values) {
  return { approvals: approvals as Provider['approvals'], validity_days: days ? Number(days) : null }
}

/** Fields for Sumsub's level names. They may contain spaces, so commas separate them. */
function levelFields(kyc: readonly string[], kyb: readonly string[], t: TFunction): ActionField[] {
  const shared = { kind: 'text', isOptional: true } as const
  return [
    { ...shared, name: 'kyc_levels', label: t('kyc.kycLevels'), initial: kyc.join(', '), hint: t('kyc.kycLevelsHint') },
    { ...shared, name: 'kyb_levels', label: t('kyc.kybLevels'), initial: kyb.join(', '), hint: t('kyc.kybLevelsHint') },
  ]
}

function levelsOf({ kyc_levels: kyc = '', kyb_levels: kyb = '' }: Values) {
  const listed = (text: string) => [...new Set(text.split(',').map((level) => level.trim()))].filter(Boolean)
  return { kyc_levels: listed(kyc), kyb_levels: listed(kyb) }
}
