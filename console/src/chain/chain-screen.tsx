import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { Card } from '../parts/card.tsx'
import { Copied } from '../parts/copied.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Facts } from '../parts/facts.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { etherText } from './ether.ts'
import { GasDays } from './gas-days.tsx'
import { TokenActions } from './token-actions.tsx'
import { Tokens } from './tokens.tsx'

type Chain = Schemas['ChainStatus']
type Signer = Schemas['SignerStatus']

/** Seconds behind the head of a chain above which a person should look. */
const lagSecondsMax = 120
/** Days of gas below which a signer must be topped up. */
const daysLeftMin = 7

/** Shows whether minting works, and whether our records agree with the chain. */
export function ChainScreen() {
  const { t } = useTranslation()
  const chains = useQuery({ queryKey: ['chains'], queryFn: () => api.get('/chains'), refetchInterval: 15_000 })
  const signers = useQuery({ queryKey: ['signers'], queryFn: () => api.get('/signers') })
  const problem = chains.error ?? signers.error
  return (
    <div className="page">
      <PageTitle title={t('nav.chain')} />
      {problem && <ProblemCard problem={problem} />}
      {chains.data?.results.length === 0 && <EmptyState text={t('chain.none')} />}
      <div className="halves">
        {chains.data?.results.map((chain) => (
          <ChainCard key={chain.chain} chain={chain} />
        ))}
        {signers.data?.results.map((signer) => (
          <SignerCard key={`${signer.chain} ${signer.address}`} signer={signer} />
        ))}
      </div>
      <Tokens />
      <TokenActions />
      <GasDays />
    </div>
  )
}

function ChainCard({ chain }: { chain: Chain }) {
  const { t, i18n } = useTranslation()
  const isLate = (chain.lag_seconds ?? 0) > lagSecondsMax
  const block = (value: number | null) => (value === null ? null : new Intl.NumberFormat(i18n.language).format(value))
  return (
    <Card
      title={chain.chain}
      className={chain.problem || isLate ? 'card-attention' : ''}
      aside={
        <State
          state="chain"
          tone={chain.problem ? 'failed' : isLate ? 'attention' : 'done'}
          label={t(chain.problem ? 'chain.unreachable' : isLate ? 'chain.behind' : 'chain.upToDate')}
        />
      }
    >
      {chain.problem && <p>{chain.problem}</p>}
      <Facts
        facts={{
          [t('chain.head')]: block(chain.head),
          [t('chain.finalized')]: block(chain.finalized),
          [t('chain.indexed')]: block(chain.indexed),
          [t('chain.lag')]:
            chain.lag_blocks === null
              ? null
              : t('chain.lagText', { blocks: chain.lag_blocks, seconds: chain.lag_seconds ?? 0 }),
          [t('chain.checkedAt')]: <Time time={chain.checked_at} isRelative />,
        }}
      />
    </Card>
  )
}

/** Shows more than a year without a number. */
function lastsText(days: number, t: TFunction): string {
  return days > 365 ? t('chain.overYear') : t('offerings.days', { count: days })
}

function SignerCard({ signer }: { signer: Signer }) {
  const { t, i18n } = useTranslation()
  const { days_left: daysLeft } = signer
  const isLow = daysLeft !== null && daysLeft < daysLeftMin
  return (
    <Card
      title={t('chain.signer', { chain: signer.chain })}
      className={isLow ? 'card-attention' : ''}
      aside={isLow && <State state="low" tone="attention" label={t('chain.refill')} />}
    >
      <Facts
        facts={{
          [t('offerings.address')]: <Copied text={signer.address} />,
          [t('chain.balance')]: signer.balance_wei && etherText(signer.balance_wei, i18n.language),
          [t('chain.spent7')]: etherText(signer.spent_wei_7_days, i18n.language),
          [t('chain.daysLeft')]: daysLeft === null ? null : lastsText(daysLeft, t),
          [t('settlement.nonce')]: `${signer.next_nonce} (${t('chain.onChain')}: ${signer.nonce_latest ?? '–'})`,
          [t('chain.desk')]: <Copied text={signer.desk_address} />,
          [t('chain.backend')]: signer.key_backend,
        }}
      />
    </Card>
  )
}
