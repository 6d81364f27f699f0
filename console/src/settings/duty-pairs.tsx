import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { Card } from '../parts/card.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { optionsOf } from '../parts/filter.ts'
import { duties } from '../team/duties.ts'

type Pair = Schemas['DutyPairs']['forbidden'][number]

const textOf = (pair: Pair) => pair.join(' + ')

/** Pairs of duties that no single person may have. */
export function DutyPairs() {
  const { t } = useTranslation()
  const may = useMay()
  const { data } = useQuery({ queryKey: ['duty-pairs'], queryFn: () => api.get('/duty-pairs') })
  const forbidden = data?.forbidden ?? []
  const set = (pairs: readonly Pair[]) => api.post('/duty-pairs', { body: { forbidden: [...pairs] } })
  const actions: Action[] = [
    {
      id: 'forbid',
      label: t('settings.forbidPair'),
      consequence: t('settings.forbidPairText'),
      fields: (['first', 'second'] as const).map((name) => ({
        name,
        label: t(`settings.${name}`),
        kind: 'choice' as const,
        options: optionsOf(duties),
      })),
      run: (_key, { first, second }) => set([...forbidden, [first, second] as unknown as Pair]),
      done: t('settings.changed'),
    },
    {
      id: 'allow',
      label: t('settings.allowPair'),
      isDangerous: true,
      consequence: t('settings.allowPairText'),
      fields: [{ name: 'pair', label: t('settings.pair'), kind: 'choice', options: optionsOf(forbidden.map(textOf)) }],
      run: (_key, { pair }) => set(forbidden.filter((one) => textOf(one) !== pair)),
      done: t('settings.changed'),
    },
  ]
  return (
    <Card
      title={t('settings.pairs')}
      className="narrow"
      actions={may('team') && data ? actions.slice(0, forbidden.length > 0 ? 2 : 1) : []}
    >
      {data && forbidden.length === 0 && <EmptyState text={t('settings.noPairs')} />}
      <ul className="plain-list">
        {forbidden.map((pair) => (
          <li key={textOf(pair)}>{textOf(pair)}</li>
        ))}
      </ul>
    </Card>
  )
}
