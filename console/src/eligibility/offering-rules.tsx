import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { Card } from '../parts/card.tsx'
import { Copied } from '../parts/copied.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Facts } from '../parts/facts.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { SmallTable } from '../parts/small-table.tsx'
import { Invitations } from './invitations.tsx'
import { Questions } from './questions.tsx'
import { useDocumentsAction, useQuestionnaireAction, useRulesAction } from './rules-actions.tsx'
import { rulesFacts } from './rules-facts.tsx'

type Offering = Schemas['OperatorOffering']
type Rules = Schemas['EligibilityRules']

/** Shows who may buy an offering, what they must accept and answer, and who is invited. */
export function OfferingRules({ offering }: { offering: Offering }) {
  const { id: offeringId } = offering
  const { data, error, refetch } = useQuery({
    queryKey: ['offering', offeringId, 'eligibility'],
    queryFn: () => api.get('/offerings/{offeringId}/eligibility', { path: { offeringId } }),
  })
  if (error && !data) return <ProblemCard problem={error} retry={() => void refetch()} />
  if (!data) return <span aria-busy />
  return (
    <div className="halves">
      <div className="stack">
        <WhoMayBuy offering={offering} rules={data} />
        <RequiredDocuments offering={offering} rules={data} />
      </div>
      <div className="stack">
        <Questionnaire offering={offering} rules={data} />
        <Invitations offering={offering} isInvitedOnly={data.is_invited_only} />
      </div>
    </div>
  )
}

interface PartProps {
  readonly offering: Offering
  readonly rules: Rules
}

interface RulesCardProps {
  readonly title: string
  readonly offering: Offering
  readonly action: Action
  readonly children: ReactNode
}

function RulesCard({ title, offering, action, children }: RulesCardProps) {
  const may = useMay()
  return (
    <Card title={title} actions={may('offerings', offering.id) ? [action] : []}>
      {children}
    </Card>
  )
}

function WhoMayBuy({ offering, rules }: PartProps) {
  const { t } = useTranslation()
  const action = useRulesAction(offering, rules)
  return (
    <RulesCard title={t('rules.who')} offering={offering} action={action}>
      {rules.version === 0 ? (
        <EmptyState text={t('rules.none')} />
      ) : (
        <Facts facts={{ ...rulesFacts(rules, offering.currency, t), [t('rules.version')]: rules.version }} />
      )}
    </RulesCard>
  )
}

function RequiredDocuments({ offering, rules }: PartProps) {
  const { t } = useTranslation()
  const action = useDocumentsAction(offering, rules)
  return (
    <RulesCard title={t('rules.documents')} offering={offering} action={action}>
      {rules.documents.length === 0 ? (
        <EmptyState text={t('rules.noDocuments')} />
      ) : (
        <SmallTable
          label={t('rules.documents')}
          columns={[t('documents.kind'), 'SHA-256', t('rules.since')]}
          rows={rules.documents.map(({ id, kind, sha256, version }) => [
            id,
            t(`documents.kinds.${kind}`),
            <Copied key="hash" text={sha256} />,
            version,
          ])}
        />
      )}
    </RulesCard>
  )
}

function Questionnaire({ offering, rules }: PartProps) {
  const { t } = useTranslation()
  const action = useQuestionnaireAction(offering, rules)
  return (
    <RulesCard title={t('rules.questionnaire')} offering={offering} action={action}>
      {rules.questionnaire === null ? (
        <EmptyState text={t('rules.noQuestionnaire')} />
      ) : (
        <Questions questionnaire={rules.questionnaire} />
      )}
    </RulesCard>
  )
}
