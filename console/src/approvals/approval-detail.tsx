import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Actions } from '../parts/actions.tsx'
import { Copied } from '../parts/copied.tsx'
import { Diff } from '../parts/diff.tsx'
import { Facts } from '../parts/facts.tsx'
import { Money } from '../parts/money.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { dateText } from '../text/format.ts'
import { pageOf } from '../work/work-target.ts'
import { approvalText, changeOf, type Database, useApproval, useSubject } from './approval.ts'
import { useApprovalDecisions } from './approval-decisions.ts'
import { OpeningContents } from './opening-contents.tsx'

type Whole = Schemas['ChangeApprovalWithRequest']

export function ApprovalDetail({ database, approvalId }: { database: Database; approvalId: string }) {
  const { data, error } = useApproval(database, approvalId)
  return (
    <article className="pane" style={{ padding: 16 }}>
      {error && <ProblemCard problem={error} />}
      {data && <Change approval={data} database={database} />}
    </article>
  )
}

/** Shows the effect of the change, the object before and after, who asked, and the decision. */
function Change({ approval, database }: { approval: Whole; database: Database }) {
  const { t } = useTranslation()
  const subject = useSubject(approval)
  const actions = useApprovalDecisions(approval, database)
  const { before, after } = changeOf(approval, subject.data)
  const reason = (approval.request.body as { reason?: string } | undefined)?.reason
  return (
    <div className="stack">
      <div className="spread">
        <div className="line">
          <h2 style={{ margin: 0 }}>{approvalText(approval, t)}</h2>
          <State state={approval.state} label={t(`approvals.${approval.state}`)} />
        </div>
        <Actions actions={actions} />
      </div>
      {approval.decimal_amount !== null && approval.currency !== null && (
        <div className="figure">
          <Money amount={approval.decimal_amount} currency={approval.currency} />
        </div>
      )}
      <WhoMayDecide approval={approval} />
      {approval.operation === 'openOffering' && <OpeningContents offeringId={approval.subject_id} />}
      {!subject.isLoading && <Diff before={before} after={after} />}
      <Facts
        facts={{
          [t('approvals.proposedBy')]: approval.proposed_by_name ?? approval.proposed_by,
          [t('approvals.proposedAt')]: <Time time={approval.proposed_at} />,
          [t('parts.reason')]: reason,
          [t('approvals.sentBefore')]: sentBefore(subject.data, t),
          [t('approvals.duty')]: approval.confirm_duty,
          [t('approvals.expires')]: <Time time={approval.expires_at} />,
          [t('approvals.decidedBy')]: approval.decided_by_name ?? approval.decided_by ?? undefined,
          [t('audit.subject')]: <Subject approval={approval} />,
        }}
      />
    </div>
  )
}

/** Warns that the payee may already have this money. Undefined if nothing was sent before. */
function sentBefore(subject: object | null | undefined, t: TFunction): string | undefined {
  if (!subject) return undefined
  if ('may_be_paid' in subject && subject.may_be_paid === true) return t('approvals.mayBePaid')
  if (!('sent_before' in subject) || !('earlier_payouts' in subject) || subject.sent_before === 0) return undefined
  const earlier = subject.earlier_payouts as Schemas['Payout']['earlier_payouts']
  const payouts = earlier.map(({ downloaded_at: at }) => dateText(at)).join(', ')
  return t('approvals.sentBeforeText', { number: subject.sent_before as number, payouts })
}

/** Name of the changed object, as a link if it has a page. */
function Subject({ approval: { subject_type: type, subject_id: id, subject_name: name } }: { approval: Whole }) {
  const { t } = useTranslation()
  const page = pageOf(type, id)
  const text = name ?? t('approvals.openSubject')
  return (
    <span className="line">
      {page ? (
        <Link className="link" {...page}>
          {text}
        </Link>
      ) : (
        name
      )}
      <Copied text={id} />
    </span>
  )
}

function WhoMayDecide({ approval }: { approval: Whole }) {
  const { t } = useTranslation()
  const { user } = useMe()
  const may = useMay()
  if (approval.state !== 'pending') return null
  if (approval.proposed_by === user.id) return <p className="muted">{t('approvals.own')}</p>
  if (!may(approval.confirm_duty, approval.offering_id))
    return <p className="muted">{t('approvals.noDuty', { duty: approval.confirm_duty })}</p>
  return null
}
