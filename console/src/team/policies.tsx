import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { Card } from '../parts/card.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'

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
      <table className="diff">
        <thead>
          <tr>
            <th scope="col">{t('team.policy')}</th>
            <th scope="col">{t('team.secondPerson')}</th>
            <th scope="col">{t('parts.actions')}</th>
          </tr>
        </thead>
        <tbody>
          {data?.policies.map((policy) => (
            <tr key={policy.policy}>
              <th scope="row">{policy.policy.replaceAll('_', ' ')}</th>
              <td>
                {t(`team.${policy.second_person}`)} {policy.from_minor ?? ''}
              </td>
              <td>
                <Actions actions={actionsOf(policy)} isCompact />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
