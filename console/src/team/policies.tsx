import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { Card } from '../parts/card.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { SmallTable } from '../parts/small-table.tsx'

type Policy = Schemas['ApprovalPolicy']

/** Policies for changes that need a second person. Changing a policy needs one too. */
export function Policies() {
  const { t } = useTranslation()
  const { data, error } = useQuery({
    queryKey: ['approval-policies'],
    queryFn: () => api.get('/approval-policies'),
  })
  const actionsOf = usePolicyActions()
  return (
    <Card title={t('team.policies')}>
      {error && <ProblemCard problem={error} />}
      <SmallTable
        columns={[t('team.policy'), t('team.secondPerson'), t('parts.actions')]}
        rows={(data?.policies ?? []).map((policy) => [
          policy.policy,
          policy.policy.replaceAll('_', ' '),
          `${t(`team.${policy.second_person}`)} ${policy.from_minor ?? ''}`,
          <Actions key="actions" actions={actionsOf(policy)} isCompact />,
        ])}
      />
    </Card>
  )
}

function usePolicyActions(): (policy: Policy) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ policy, second_person: current, from_minor: fromMinor }) => {
    if (!may('team')) return []
    return [
      {
        id: policy,
        label: t('team.changePolicy'),
        consequence: t('team.changePolicyText', { policy: policy.replaceAll('_', ' ') }),
        fields: [
          {
            name: 'second_person',
            label: t('team.secondPerson'),
            kind: 'choice',
            initial: current,
            options: (['always', 'from_amount', 'never'] as const).map((value) => ({
              value,
              label: t(`team.${value}`),
            })),
          },
          {
            name: 'from_minor',
            label: t('team.fromMinor'),
            kind: 'text',
            initial: fromMinor ?? '',
            isOptional: true,
            hint: t('team.fromMinorHint'),
          },
        ],
        run: (_key, values) =>
          api.post('/approval-policies', {
            body: {
              policy,
              second_person: values['second_person'] as Policy['second_person'],
              from_minor: values['second_person'] === 'from_amount' ? (values['from_minor'] ?? '') : null,
            },
          }),
        done: t('team.changed'),
      },
    ]
  }
}
