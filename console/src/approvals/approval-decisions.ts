import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { approvalText, type Database } from './approval.ts'

/** The proposer may withdraw; another person with the duty may confirm or reject. Each decision asks for a passkey. */
export function useApprovalDecisions(approval: Schemas['ChangeApproval'] | undefined, database: Database): Action[] {
  const { t } = useTranslation()
  const { user } = useMe()
  const may = useMay()
  if (approval?.state !== 'pending') return []
  const options = { path: { approvalId: approval.id } }
  const text = approvalText(approval, t)
  const post = (verb: 'confirm' | 'reject' | 'withdraw'): Promise<unknown> =>
    database === 'cell'
      ? api.post(`/approvals/{approvalId}/${verb}`, options)
      : api.post(`/directory-approvals/{approvalId}/${verb}`, options)
  const action = (verb: 'confirm' | 'reject' | 'withdraw', isDangerous: boolean): Action => ({
    id: verb,
    label: t(`approvals.${verb}`),
    isDangerous,
    consequence: t(`approvals.${verb}Text`, { text }),
    ...(verb === 'confirm' && { confirmLabel: t('approvals.confirmWithPasskey') }),
    run: () => post(verb),
    done: t(`approvals.${verb}Done`, { text }),
  })
  if (approval.proposed_by === user.id) return [action('withdraw', true)]
  return may(approval.confirm_duty, approval.offering_id) ? [action('confirm', false), action('reject', true)] : []
}
