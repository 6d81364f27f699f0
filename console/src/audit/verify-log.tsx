import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { Problem, retryAfterOf } from '../api/problem.ts'
import { Copied } from '../parts/copied.tsx'
import { notifyProblem } from '../parts/notify-problem.ts'
import { State } from '../parts/state.tsx'

type Verification = Schemas['AuditVerification']

/** Has the service recompute the hash chain of a log, part by part, and shows the result. */
export function VerifyLog({ log }: { log: 'cell' | 'directory' }) {
  const { t } = useTranslation()
  const [found, setFound] = useState<Verification>()
  const [isRunning, setRunning] = useState(false)

  async function verify(): Promise<void> {
    setRunning(true)
    try {
      let last: Verification | undefined
      do {
        last = await verifyPartInTurn(log, last?.verified_to ?? 0)
        setFound(last)
      } while (!last.is_complete && last.problem === null)
    } catch (error) {
      notifyProblem(error)
    } finally {
      setRunning(false)
    }
  }

  return (
    <div className="line">
      {found && <Result found={found} />}
      <Button variant="default" size="xs" loading={isRunning} onClick={() => void verify()}>
        {t('audit.verify')}
      </Button>
    </div>
  )
}

function Result({ found: { problem, verified_to: sequence, is_complete: isComplete, head } }: { found: Verification }) {
  const { t } = useTranslation()
  if (problem)
    return <State state="failed" label={t('audit.broken', { sequence: problem.sequence, detail: problem.detail })} />
  return (
    <span className="line">
      <State
        state="verified"
        tone={isComplete ? 'done' : 'progress'}
        label={t(isComplete ? 'audit.verified' : 'audit.verifying', { count: sequence })}
      />
      {head && isComplete && <Copied text={head.hash} />}
    </span>
  )
}

/** Waits as long as the service asks while a colleague verifies too, or the person's rate limit is used up. */
async function verifyPartInTurn(log: 'cell' | 'directory', after: number): Promise<Verification> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await verifyPart(log, after)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 429 || attempt === attemptsMax) throw error
      await new Promise((resolve) => setTimeout(resolve, retryAfterOf(error)))
    }
  }
}

const attemptsMax = 30

function verifyPart(log: 'cell' | 'directory', after: number): Promise<Verification> {
  const options = { body: { after_sequence: after } }
  return log === 'directory' ? api.post('/directory-audit/verify', options) : api.post('/audit/verify', options)
}
