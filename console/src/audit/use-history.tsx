import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useNameOf } from '../api/people.ts'
import { Diff } from '../parts/diff.tsx'
import type { TimelineEntry } from '../parts/timeline.tsx'
import { actorText } from './actor.ts'

/** The audit records of an object as entries of a timeline. */
export function useHistory(subjectId: string): TimelineEntry[] {
  const nameOf = useNameOf()
  const { data } = useQuery({
    queryKey: ['audit', 'subject', subjectId],
    queryFn: () => api.get('/audit', { query: { subject_id: subjectId, limit: 50 } }),
  })
  return (data?.results ?? []).map((record) => ({
    id: String(record.sequence),
    at: record.at,
    text: record.action,
    who: actorText(record, nameOf),
    detail: <Diff before={record.before} after={record.after} />,
  }))
}
