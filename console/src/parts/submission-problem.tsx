import { useTranslation } from 'react-i18next'
import { ProblemCard } from './problem-card.tsx'
import type { Submission } from './use-submission.ts'

/** Explains why a change was not made, or what it waits for. */
export function SubmissionProblem({ submission }: { submission: Pick<Submission, 'problem' | 'isWaiting'> }) {
  const { t } = useTranslation()
  const { problem, isWaiting } = submission
  if (!problem) return null
  if (!isWaiting) return <ProblemCard problem={problem} />
  return (
    <section className="card card-attention" role="alert">
      <strong>{t('live.waiting')}</strong>
      <div className="small">{t('live.waitingText')}</div>
    </section>
  )
}
