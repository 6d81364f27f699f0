import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'

/** One chain op with every transaction sent for it. */
export function ChainOpDetail({ opId }: { opId: string }) {
  const { t } = useTranslation()
  const may = useMay()
  const { data, error } = useQuery({
    queryKey: ['chain-op', opId],
    queryFn: () => api.get('/chain-ops/{opId}', { path: { opId } }),
  })
  if (error) return <ProblemCard problem={error} />
  if (!data) return null
  const attach: Action = {
    id: 'attach',
    label: t('settlement.attach'),
    consequence: t('settlement.attachText'),
    fields: [{ name: 'hash', label: t('settlement.hash'), kind: 'text' }],
    run: (key, { hash = '' }) =>
      api.post('/chain-ops/{opId}/attach', { path: { opId }, key, body: { transaction_hash: hash } }),
    done: t('settlement.done'),
  }
  const mayAttach = may('settlement', data.offering_id) && ['SIGNED', 'ALARM'].includes(data.state)
  return (
    <div className="stack">
      <div className="spread">
        <State state={data.state} />
        <Actions actions={mayAttach ? [attach] : []} isCompact />
      </div>
      {data.failure && <p>{data.failure}</p>}
      <Facts
        facts={{
          [t('settlement.to')]: <Copied text={data.to_address} />,
          [t('settlement.nonce')]: data.nonce,
          [t('settlement.hash')]: data.mined_hash && <Copied text={data.mined_hash} />,
          [t('chain.block')]: data.mined_block,
          [t('settlement.after')]: data.depends_on && <Copied text={data.depends_on} />,
          [t('orders.created')]: <Time time={data.created_at} />,
          [t('parts.changed')]: <Time time={data.changed_at} />,
        }}
      />
      <h3>{t('developers.attempts')}</h3>
      <SmallTable
        label={t('developers.attempts')}
        rows={data.attempts.map(({ hash, attempt, created_at: at, is_cancellation: isCancellation }) => [
          hash,
          t('developers.attempt', { number: attempt }),
          <Copied key="hash" text={hash} />,
          isCancellation ? t('settlement.cancellation') : '',
          <Time key="at" time={at} isRelative />,
        ])}
      />
    </div>
  )
}
