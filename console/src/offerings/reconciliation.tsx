import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { Card } from '../parts/card.tsx'
import { Facts } from '../parts/facts.tsx'
import { State, type Tone } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'

const tones: Readonly<Record<Schemas['LastReconciliation']['state'], Tone>> = {
  none: 'waiting',
  requested: 'progress',
  equal: 'done',
  different: 'failed',
  failed: 'attention',
}

/** Shows whether the chain and our records agree about a token. */
export function Reconciliation({ offering }: { offering: Schemas['OperatorOffering'] }) {
  const { t } = useTranslation()
  const { id: offeringId, decimals, symbol } = offering
  const { data } = useQuery({
    queryKey: ['offering', offeringId, 'reconciliation'],
    queryFn: () => api.get('/offerings/{offeringId}/reconciliation', { path: { offeringId } }),
    refetchInterval: ({ state }) => (state.data?.state === 'requested' ? 1_000 : false),
  })
  if (!data) return null
  const { figures } = data
  return (
    <Card
      title={t('chain.comparison')}
      aside={<State state={data.state} tone={tones[data.state]} label={t(`chain.states.${data.state}`)} />}
    >
      {data.problem && <p>{data.problem}</p>}
      {data.differences.map((difference) => (
        <p key={difference} className="tone-failed">
          {difference}
        </p>
      ))}
      <Facts
        facts={{
          [t('chain.comparedAt')]: <Time time={data.compared_at} isRelative />,
          ...(figures && {
            [t('chain.block')]: figures.block,
            [t('chain.supply')]: <Units units={figures.supply_on_chain} decimals={decimals} symbol={symbol} />,
            [t('chain.issued')]: <Units units={figures.issued_units} decimals={decimals} symbol={symbol} />,
            [t('offerings.holders')]: figures.holders,
          }),
        }}
      />
    </Card>
  )
}
