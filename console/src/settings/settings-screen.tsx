import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { Card } from '../parts/card.tsx'
import { Diff } from '../parts/diff.tsx'
import { Facts } from '../parts/facts.tsx'
import type { ActionField, Values } from '../parts/field-input.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { DutyPairs } from './duty-pairs.tsx'

type Settings = Schemas['TenantSettings']

const numbers = [
  'approval_expiry_days',
  'refund_hold_days',
  'refund_name_similarity_percent',
  'retention_years',
] as const
const texts = ['time_zone', 'wallet_proof_url'] as const
const switches = ['mails_proposals', 'mails_disabled_endpoints'] as const
const names = [...numbers, ...texts, ...switches]

/** Settings that the tenant chooses for itself, besides its approval policies. */
export function SettingsScreen() {
  const { t } = useTranslation()
  const may = useMay()
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: () => api.get('/settings'),
  })
  const change = useChange(data)
  return (
    <div className="page">
      <PageTitle title={t('nav.settings')}>
        <Actions actions={may('team') && change ? [change] : []} />
      </PageTitle>
      {error && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && (
        <Card title={t('settings.tenant')} className="narrow">
          <Facts facts={Object.fromEntries(names.map((name) => [t(`settings.${name}`), shown(data[name], t)]))} />
        </Card>
      )}
      <DutyPairs />
    </div>
  )
}

function shown(value: Settings[keyof Settings], t: (key: 'parts.yes' | 'parts.no') => string): string | null {
  if (typeof value === 'boolean') return value ? t('parts.yes') : t('parts.no')
  return value === null ? null : String(value)
}

/** One dialog that compares old and new settings. A change that weakens a control waits for a second person. */
function useChange(settings: Settings | undefined): Action | undefined {
  const { t } = useTranslation()
  if (!settings) return undefined
  const current: Values = Object.fromEntries(names.map((name) => [name, textOf(settings[name])]))
  const named = (values: Values) =>
    Object.fromEntries(names.map((name) => [t(`settings.${name}`), values[name] || '–']))
  const yesOrNo = [
    { value: 'yes', label: t('parts.yes') },
    { value: 'no', label: t('parts.no') },
  ]
  return {
    id: 'change',
    label: t('settings.change'),
    consequence: t('settings.changeText'),
    fields: names.map((name): ActionField => {
      const shared = { name, label: t(`settings.${name}`), initial: current[name] ?? '' }
      if ((switches as readonly string[]).includes(name)) return { ...shared, kind: 'choice', options: yesOrNo }
      return { ...shared, kind: 'text', isOptional: name === 'wallet_proof_url' }
    }),
    preview: (values) => <Diff before={named(current)} after={named(values)} />,
    run: (key, values) => api.patch('/settings', { key, body: changeOf(current, values) }),
    done: t('settings.changed'),
  }
}

function textOf(value: Settings[keyof Settings]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null ? '' : String(value)
}

function changeOf(current: Values, values: Values): Schemas['TenantSettingsChange'] {
  const changed = names.filter((name) => values[name] !== current[name])
  return Object.fromEntries(
    changed.map((name) => {
      const value = (values[name] ?? '').trim()
      if ((numbers as readonly string[]).includes(name)) return [name, Number(value)]
      if ((switches as readonly string[]).includes(name)) return [name, value === 'yes']
      return [name, value || null]
    }),
  )
}
