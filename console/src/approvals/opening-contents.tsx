import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { Questions } from '../eligibility/questions.tsx'
import { rulesFacts } from '../eligibility/rules-facts.tsx'
import { CollectionAccount } from '../offerings/collection-account.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { Money } from '../parts/money.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { Time } from '../parts/time.tsx'
import { Units } from '../parts/units.tsx'

type Offering = Schemas['OperatorOffering']
type Rules = Schemas['EligibilityRules']

/** Everything that a person confirms with an opening: the account, the terms, the eligible buyers and the documents. */
export function OpeningContents({ offeringId }: { offeringId: string }) {
  const { t } = useTranslation()
  const options = { path: { offeringId } }
  const { data, error, refetch } = useQuery({
    queryKey: ['offering', offeringId, 'opening'],
    // Always reads again, because the service rejects a confirmation of contents that have changed meanwhile.
    staleTime: 0,
    queryFn: async () => {
      const [offering, rules, documents] = await Promise.all([
        api.get('/offerings/{offeringId}', options),
        api.get('/offerings/{offeringId}/eligibility', options),
        api.get('/offerings/{offeringId}/documents', options),
      ])
      return { offering, rules, documents: documents.results }
    },
  })
  if (error) return <ProblemCard problem={error} retry={() => void refetch()} />
  if (!data) return <span aria-busy />
  const { offering, rules, documents } = data
  return (
    <>
      <section>
        <h3>{t('offerings.collection')}</h3>
        {offering.collection_account && <CollectionAccount account={offering.collection_account} />}
      </section>
      <section>
        <h3>{t('offerings.terms')}</h3>
        <Terms offering={offering} />
      </section>
      <section>
        <h3>{t('rules.who')}</h3>
        <WhoMayBuy offering={offering} rules={rules} />
        {rules.questionnaire && <Questions questionnaire={rules.questionnaire} />}
      </section>
      <section>
        <h3>{t('documents.title')}</h3>
        <Documents documents={documents} required={rules.documents} />
      </section>
    </>
  )
}

function Terms({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  const { decimals, symbol, currency } = offering
  const units = (value: string | null) =>
    value === null ? undefined : <Units units={value} decimals={decimals} symbol={symbol} />
  const money = (value: string | null) => (value === null ? undefined : <Money amount={value} currency={currency} />)
  const yesOrNo = (value: boolean) => (value ? t('parts.yes') : t('parts.no'))
  return (
    <Facts
      facts={{
        [t('offerings.name')]: offering.name,
        [t('offerings.type')]: offering.type.replaceAll('_', ' '),
        [t('offerings.total')]: units(offering.total_units),
        [t('offerings.price')]: money(offering.price_per_token),
        [t('offerings.min')]: units(offering.min_units),
        [t('offerings.max')]: units(offering.max_units),
        [t('draft.fields.soft_cap_units')]: units(offering.soft_cap_units),
        [t('draft.fields.soft_cap_amount')]: money(offering.soft_cap_amount),
        [t('offerings.opens')]: <Time time={offering.opens_at} />,
        [t('offerings.closes')]: <Time time={offering.closes_at} />,
        [t('offerings.term')]: t('offerings.days', { count: offering.payment_term_days }),
        [t('draft.fields.payment_tolerance')]: money(offering.payment_tolerance),
        [t('offerings.approval')]: yesOrNo(offering.approval_required),
        [t('offerings.acceptance')]: yesOrNo(offering.acceptance_required),
        [t('offerings.blockchain')]: offering.blockchain,
        [t('offerings.token')]: offering.attached_token_address ?? undefined,
      }}
    />
  )
}

function WhoMayBuy({ offering, rules }: { offering: Offering; rules: Rules }) {
  const { t } = useTranslation()
  if (rules.version === 0) return <p>{t('rules.everyone')}</p>
  return (
    <Facts
      facts={{
        ...rulesFacts(rules, offering.currency, t),
        [t('rules.questionnaire')]: rules.questionnaire === null ? t('parts.no') : t('parts.yes'),
      }}
    />
  )
}

function Documents({
  documents,
  required,
}: {
  documents: readonly Schemas['Document'][]
  required: Rules['documents']
}) {
  const { t } = useTranslation()
  if (documents.length === 0) return <p>{t('documents.empty')}</p>
  const mustAccept = new Set(required.map(({ id }) => id))
  return (
    <SmallTable
      label={t('documents.title')}
      columns={[t('documents.kind'), 'SHA-256', t('rules.mustAccept')]}
      rows={documents.map(({ id, kind, sha256 }) => [
        id,
        t(`documents.kinds.${kind}`),
        <Copied key="hash" text={sha256} />,
        mustAccept.has(id) ? t('parts.yes') : t('parts.no'),
      ])}
    />
  )
}
