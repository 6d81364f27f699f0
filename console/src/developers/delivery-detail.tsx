import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { JsonText } from '../parts/json-text.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'

/** One delivery: every attempt with its outcome, and the body sent. */
export function DeliveryDetail({ endpointId, eventId }: { endpointId: string; eventId: string }) {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ['webhook-endpoint', endpointId, 'delivery', eventId],
    queryFn: () => api.get('/webhook-endpoints/{endpointId}/deliveries/{eventId}', { path: { endpointId, eventId } }),
  })
  if (!data) return null
  return (
    <section className="stack">
      <h3>{data.event_type}</h3>
      <SmallTable
        label={t('developers.attempts')}
        rows={data.attempts.map(({ number, at, outcome, status_code: code, duration_ms: duration }) => [
          number,
          t('developers.attempt', { number }),
          <State
            key="outcome"
            state={outcome}
            tone={outcome === 'DELIVERED' ? 'done' : 'failed'}
            label={`${outcome.replaceAll('_', ' ')}${code === null ? '' : ` ${code}`}`}
          />,
          `${duration} ms`,
          <Time key="at" time={at} isRelative />,
        ])}
      />
      {data.next_attempt_at && (
        <p className="muted">
          {t('developers.nextAttempt')} <Time time={data.next_attempt_at} isRelative />
        </p>
      )}
      {data.request_body === null ? (
        <p className="muted">{t('developers.bodyGone')}</p>
      ) : (
        <JsonText text={data.request_body} />
      )}
    </section>
  )
}
