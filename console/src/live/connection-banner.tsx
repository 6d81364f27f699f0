import { Button } from '@mantine/core'
import { IconCircleCheck, IconPlugConnectedX, IconUserOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../api/connection.ts'
import { useMe } from '../api/me.ts'
import { Problem } from '../api/problem.ts'
import { timeText } from '../text/format.ts'
import { continueSession, resumeSession } from './resume-session.ts'

/** Delay before the banner appears: a shorter interruption is not worth a message. */
const patienceMs = 1_200
const backMs = 6_000

/** Explains why nothing is saved or updated at the moment, and that nothing is lost. */
export function ConnectionBanner() {
  const { t } = useTranslation()
  const connection = useConnection()
  const [shown, setShown] = useState<{ what: 'unreachable' | 'ended' | 'back'; since: string }>()
  const wasShown = useRef(false)
  useEffect(() => {
    const since = new Date().toISOString()
    if (connection !== 'ok') {
      const show = () => {
        wasShown.current = true
        setShown({ what: connection, since })
      }
      const timer = setTimeout(show, connection === 'ended' ? 0 : patienceMs)
      return () => clearTimeout(timer)
    }
    if (!wasShown.current) return
    wasShown.current = false
    setShown({ what: 'back', since })
    const timer = setTimeout(() => setShown(undefined), backMs)
    return () => clearTimeout(timer)
  }, [connection])
  return (
    <div role="status" className="connection">
      {shown?.what === 'unreachable' && (
        <Banner icon={<IconPlugConnectedX size={16} />} tone="attention">
          {t('live.unreachable', { time: timeText(shown.since) })}
        </Banner>
      )}
      {shown?.what === 'ended' && <EndedSession />}
      {shown?.what === 'back' && (
        <Banner icon={<IconCircleCheck size={16} />} tone="done">
          {t('live.back')}
        </Banner>
      )}
    </div>
  )
}

function EndedSession() {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const [problem, setProblem] = useState<Error>()
  // The person may have signed in on another tab.
  useEffect(() => {
    const look = () => void continueSession(client, me).catch(() => {})
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [client, me])
  const signIn = () => {
    setProblem(undefined)
    resumeSession(client, me).catch((error) => setProblem(error instanceof Error ? error : new Error(String(error))))
  }
  return (
    <Banner icon={<IconUserOff size={16} />} tone="attention">
      <span>{problem instanceof Problem ? problem.message : t('live.ended')}</span>
      <Button size="compact-xs" onClick={signIn}>
        {t('live.signIn')}
      </Button>
      <a className="link" href="/console/sign-in" target="_blank" rel="noreferrer">
        {t('live.otherTab')}
      </a>
    </Banner>
  )
}

function Banner({ icon, tone, children }: { icon: ReactNode; tone: 'attention' | 'done'; children: ReactNode }) {
  return (
    <div className={`banner banner-${tone}`}>
      <span className={`line tone-${tone}`}>{icon}</span>
      <div className="line">{children}</div>
    </div>
  )
}
