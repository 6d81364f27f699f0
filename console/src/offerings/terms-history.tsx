import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useNameOf } from '../api/people.ts'
import { actorText } from '../audit/actor.ts'
import { Card } from '../parts/card.tsx'
import { Diff } from '../parts/diff.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { Timeline } from '../parts/timeline.tsx'

type Change = Schemas['TermsChange']

/** Lists who changed which terms, from the first draft on. */
export function TermsHistory({ offeringId }: { offeringId: string }) {
  const { t } = useTranslation()
  const nameOf = useNameOf()
  const list = useList<Change>(['offering', offeringId, 'terms'], (query) =>
    api.get('/offerings/{offeringId}/terms-history', { path: { offeringId }, query }),
  )
  const confirmed = ({ confirmed_by: id }: Change) =>
    id ? `, ${t('offerings.confirmedBy', { name: nameOf(id) })}` : ''
  return (
    <Card title={t('offerings.termsHistory')}>
      {list.problem && <ProblemCard problem={list.problem} retry={list.reload} />}
      {!list.isLoading && (
        <Timeline
          entries={list.items.map((change) => ({
            id: `${change.at} ${change.action}`,
            at: change.at,
            text: t(`offerings.changes.${change.action.split('.')[1] as 'drafted'}`),
            who: actorText(change, nameOf) + confirmed(change),
            detail: <Diff before={change.before} after={change.after} />,
          }))}
        />
      )}
    </Card>
  )
}
