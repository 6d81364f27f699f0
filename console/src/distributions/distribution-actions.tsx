import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { useApprovalDecisions } from '../approvals/approval-decisions.ts'
import type { Action } from '../parts/actions.tsx'
import { moneyText } from '../parts/money-text.ts'
import { useChangeAction } from './distribution-draft.tsx'
import { useNextDownload } from './file-actions.ts'
import { netOf, PaymentFigures } from './payment-figures.tsx'

type Distribution = Schemas['DistributionPreview']
type Status = Distribution['status']
type Step = 'calculate' | 'approve' | 'pay' | 'close' | 'cancel'

/** Counts the entitlements that still need something, by status. */
function openCounts({ totals }: Distribution): { due: number; sent: number } {
  const count = (status: string) => totals.find((one) => one.status === status)?.count ?? 0
  return { due: count('due'), sent: count('sent') }
}

/** Returns the steps permitted in a status. The service's errors report further conditions, such as stopped payouts. */
function stepsOf(distribution: Distribution, isProposed: boolean): Step[] {
  const { status, is_filing: isFiling, kind, burns } = distribution
  const { due, sent } = openCounts(distribution)
  switch (status) {
    case 'DRAFT':
      return ['calculate', 'cancel']
    case 'CALCULATING':
      return ['cancel']
    case 'CALCULATED':
      return isProposed ? ['calculate', 'cancel'] : ['approve', 'calculate', 'cancel']
    case 'APPROVED':
      return ['pay', 'cancel']
    case 'PAYING': {
      const isSettled = !isFiling && due === 0 && sent === 0 && (kind !== 'REDEMPTION' || burns.waiting === 0)
      return isSettled ? ['close'] : due > 0 && !isFiling ? ['pay'] : []
    }
    case 'CLOSED':
      return due > 0 ? ['pay'] : []
    case 'CANCELLED':
      return []
  }
}

/** Returns the actions a person may take on a distribution, including the decision about a colleague's proposal. */
export function useDistributionActions(
  distribution: Distribution,
  offering: Schemas['OperatorOffering'] | undefined,
  proposal: Schemas['NamedChangeApproval'] | undefined,
): Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  const change = useChangeAction(distribution, offering)
  const decisions = useApprovalDecisions(proposal, 'cell').map((action) =>
    action.id === 'confirm' ? { ...action, label: t('approvals.operations.approveDistribution') } : action,
  )
  const downloads = useNextDownload(distribution)
  const toDraft = useToDraft(distribution)
  const { id, status, currency, holders } = distribution
  if (!may('money', distribution.offering_id)) return decisions
  const text = {
    amount: moneyText(
      netOf(distribution, (one) => one === 'due'),
      currency,
      i18n.language,
    ),
    count: holders,
    due: openCounts(distribution).due,
  }
  const step = (name: Step): Action => ({
    id: name,
    label: name === 'pay' && status !== 'APPROVED' ? t('distributions.payAgain') : t(`distributions.${name}`),
    isDangerous: name === 'cancel',
    consequence: (
      <>
        <p>{t(`distributions.consequences.${consequenceOf(name, distribution)}`, text)}</p>
        {(name === 'approve' || name === 'pay') && <PaymentFigures distribution={distribution} />}
      </>
    ),
    // The service rejects it if another person was faster.
    run: (key) =>
      api.post(`/distributions/{distributionId}/${name}`, {
        path: { distributionId: id },
        query: { expected_status: status },
        key,
      }),
    done: t(`distributions.done.${name}`),
  })
  const [first, ...others] = stepsOf(distribution, proposal !== undefined).map(step)
  const isChangeable = (['DRAFT', 'CALCULATING', 'CALCULATED', 'APPROVED'] as Status[]).includes(status)
  const changes = isChangeable ? [change, ...(status === 'DRAFT' ? [] : [toDraft])] : []
  const isOnlyCancel = first?.id === 'cancel'
  return [
    ...decisions,
    ...downloads,
    ...(first && !isOnlyCancel ? [first] : []),
    ...changes,
    ...others,
    ...(first && isOnlyCancel ? [first] : []),
  ]
}

function useToDraft({ id, status, pay_on }: Distribution): Action {
  const { t } = useTranslation()
  return {
    id: 'to-draft',
    label: t('distributions.toDraft'),
    consequence: t('distributions.toDraftText', { status }),
    run: (key) => api.patch('/distributions/{distributionId}', { path: { distributionId: id }, key, body: { pay_on } }),
    done: t('distributions.done.toDraft'),
  }
}

/** Returns the key of the text that explains a step, which depends on what happened before. */
function consequenceOf(name: Step, { status, kind }: Distribution) {
  if (name === 'calculate' && status === 'CALCULATED') return 'calculateAgain'
  if (name === 'approve' && kind === 'REDEMPTION') return 'approveRedemption'
  if (name === 'pay' && status !== 'APPROVED') return 'payAgain'
  if (name === 'cancel' && status === 'APPROVED') return 'cancelApproved'
  return name
}
