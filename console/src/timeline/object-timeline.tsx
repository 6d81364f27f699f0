import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ListPage, type PageParameters, useList } from '../api/list.ts'
import { NewRows } from '../parts/new-rows.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { NoteForm } from './note-form.tsx'
import { type Entry, useTimelineEntries } from './use-timeline-entries.tsx'

export interface ObjectTimelineProps {
  readonly subject: { readonly type: 'order' | 'account'; readonly id: string }
  readonly fetchPage: (page: PageParameters) => Promise<ListPage<Entry>>
}

/** Everything that happened to an object, newest first: events, money, the chain, changes by people, and notes. */
export function ObjectTimeline({ subject, fetchPage }: ObjectTimelineProps) {
  const { t } = useTranslation()
  const list = useList<Entry>(['timeline', subject.id], fetchPage)
  const entries = useTimelineEntries(list.items)
  return (
    <section className="card" aria-label={t('timeline.title')}>
      <h2>{t('timeline.title')}</h2>
      <NoteForm subject={subject} />
      {list.problem && list.items.length === 0 && <ProblemCard problem={list.problem} retry={list.reload} />}
      <NewRows changes={list.changes} />
      {!list.isLoading && <Timeline entries={entries} />}
      {list.hasMore && (
        <Button variant="default" mt="sm" loading={list.isLoadingMore} onClick={list.loadMore}>
          {t('timeline.older')}
        </Button>
      )}
    </section>
  )
}
