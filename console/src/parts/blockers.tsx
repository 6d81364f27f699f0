import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { timeText } from '../text/format.ts'

interface Blocker<Code extends string> {
  readonly code: Code
  readonly message: string
  readonly remedy: string
}

interface BlockersProps<Code extends string> {
  readonly blockers: readonly Blocker<Code>[]
  /** Actions that remove a blocker, or a link to the page where it can be removed. */
  readonly remedyOf: (blocker: Blocker<Code>) => ReactNode
}

/** Lists everything that blocks an order, each with its remedy. */
export function Blockers<Code extends string>({ blockers, remedyOf }: BlockersProps<Code>) {
  const { t } = useTranslation()
  if (blockers.length === 0) return null
  return (
    <section className="card card-attention" aria-label={t('orders.blockers')}>
      <h2>{t('orders.blockedBy', { count: blockers.length })}</h2>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {blockers.map((blocker) => (
          <li key={blocker.code} className="spread" style={{ padding: '6px 0' }}>
            <div>
              <div>{withLocalTimes(blocker.message)}</div>
              <div className="small muted">{blocker.remedy}</div>
            </div>
            {remedyOf(blocker)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Converts the UTC times in the API's messages. */
function withLocalTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, (time) => timeText(time))
}
