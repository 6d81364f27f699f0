import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { useKeys } from '../parts/keys.ts'
import { PageTitle } from '../parts/page-title.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { type Approval, approvalText, type Database } from './approval.ts'
import { ApprovalDetail } from './approval-detail.tsx'

const route = getRouteApi('/approvals')

/** Changes that wait for a second person: the list on the left, the selected one on the right. */
export function ApprovalsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const state = search.state ?? 'pending'
  const { approvals, isExact, problem, isLoading } = useApprovals(state)
  const open = approvals.find((one) => addressOf(one) === search.open) ?? approvals[0]
  const addresses = approvals.map((one) => addressOf(one)).join(' ')
  const chosen = open && addressOf(open)
  const keys = useMemo(() => {
    const all = addresses.split(' ')
    const move = (by: number) => () => {
      const next = all[Math.max(0, Math.min(all.length - 1, all.indexOf(chosen ?? '') + by))]
      if (next) setSearch({ open: next })
    }
    return { j: move(1), ArrowDown: move(1), k: move(-1), ArrowUp: move(-1) }
  }, [addresses, chosen, setSearch])
  useKeys(keys)
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.approvals')} count={{ value: approvals.length, isExact }}>
        <SegmentedControl
          size="xs"
          aria-label={t('orders.status')}
          value={state}
          onChange={(next) => setSearch({ state: next === 'pending' ? undefined : next, open: undefined })}
          data={(['pending', 'confirmed', 'rejected', 'withdrawn', 'expired'] as const).map((value) => ({
            value,
            label: t(`approvals.${value}`),
          }))}
        />
      </PageTitle>
      {problem && <ProblemCard problem={problem} />}
      {!isLoading && approvals.length === 0 && <EmptyState text={t('approvals.empty')} />}
      {open && (
        <div className="halves matching" style={{ flex: 1 }}>
          <nav className="pane" aria-label={t('nav.approvals')}>
            {approvals.map((one) => (
              <ApprovalItem
                key={one.id}
                approval={one}
                isOpen={one === open}
                onOpen={() => setSearch({ open: addressOf(one) })}
              />
            ))}
          </nav>
          <ApprovalDetail key={open.id} database={open.database} approvalId={open.id} />
        </div>
      )}
    </div>
  )
}

function ApprovalItem({ approval, isOpen, onOpen }: { approval: Approval; isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation()
  const { state, subject_name: subject, proposed_by: proposerId, proposed_by_name: proposerName } = approval
  return (
    <button type="button" className="pane-item" aria-current={isOpen} onClick={onOpen}>
      <div className="spread">
        <strong className="cut">{approvalText(approval, t)}</strong>
        <State state={state} label={t(`approvals.${state}`)} />
      </div>
      <div className="spread small muted">
        <span className="cut">{[subject, proposerName ?? proposerId].filter(Boolean).join(' · ')}</span>
        <Time time={approval.proposed_at} isRelative />
      </div>
    </button>
  )
}

const addressOf = ({ database, id }: Approval) => `${database}-${id}`

/** Loads the approvals of both databases, newest first. */
function useApprovals(state: string) {
  const cell = useApprovalsOf('cell', state)
  const directory = useApprovalsOf('directory', state)
  const approvals: Approval[] = [
    ...cell.items.map((one) => ({ ...one, database: 'cell' as const })),
    ...directory.items.map((one) => ({ ...one, database: 'directory' as const })),
  ].toSorted((left, right) => right.proposed_at.localeCompare(left.proposed_at))
  return {
    approvals,
    isExact: !cell.hasMore && !directory.hasMore,
    problem: cell.problem ?? directory.problem,
    isLoading: cell.isLoading || directory.isLoading,
  }
}

function useApprovalsOf(database: Database, state: string) {
  return useList<Schemas['NamedChangeApproval']>(['approvals', database, state], (page) => {
    const options = { query: { state: [state as Approval['state']], ...page } }
    return database === 'cell' ? api.get('/approvals', options) : api.get('/directory-approvals', options)
  })
}
