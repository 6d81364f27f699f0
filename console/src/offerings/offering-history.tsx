import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { Card } from '../parts/card.tsx'
import { Diff } from '../parts/diff.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { Timeline } from '../parts/timeline.tsx'

type Entry = Schemas['TimelineEntry']

/** Events, chain ops, audit records and notes of an offering, newest first. */
export function OfferingHistory({ offeringId }: { offeringId: string }) {
  const { t } = useTranslation()
  const list = useList<Entry>(['offering', offeringId, 'timeline'], (query) =>
    api.get('/offerings/{offeringId}/timeline', { path: { offeringId }, query }),
  )
  return (
    <Card title={t('parts.history')}>
      {list.problem && <ProblemCard problem={list.problem} retry={list.reload} />}
      {!list.isLoading && (
        <Timeline
          entries={list.items.map(({ source, id, type, at, actor_name: name, detail, text }) => ({
            id: `${source} ${id}`,
            at,
            text: text ?? type,
            ...(name !== null && { who: name }),
            detail: <Diff before={null} after={detail} />,
          }))}
        />
      )}
    </Card>
  )
}
