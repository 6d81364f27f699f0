import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { goToPasskeys } from '../api/sign-in.ts'
import { problemText } from './problem-text.ts'

/** Shows what happened, what to do, and the request id for support. */
export function ProblemCard({ problem, retry }: { problem: Error; retry?: () => void }) {
  const { t } = useTranslation()
  const requestId = problem instanceof Problem ? problem.requestId : undefined
  const failures = problem instanceof Problem ? problem.failures : []
  return (
    <section className="card card-failed" role="alert">
      <strong>{problem instanceof Problem ? problemText(problem, t) : t('parts.unexpected')}</strong>
      {failures.length > 1 && (
        <ul>
          {failures.map((failure) => (
            <li key={failure}>{failure}</li>
          ))}
        </ul>
      )}
      {requestId && <div className="small muted mono">{t('parts.request', { id: requestId })}</div>}
      {problem instanceof Problem && problem.code === 'passkey_missing' && (
        <Button variant="default" mt="sm" onClick={goToPasskeys}>
          {t('live.createPasskey')}
        </Button>
      )}
      {retry && (
        <Button variant="default" mt="sm" onClick={retry}>
          {t('parts.retry')}
        </Button>
      )}
    </section>
  )
}
