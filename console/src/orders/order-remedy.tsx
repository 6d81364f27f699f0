import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import type { OrderActionId } from './order-actions.ts'

type Order = Schemas['OperatorOrder']
type BlockerCode = Schemas['Blocker']['code']

/** Which action of the order removes which blocker. */
const own: Partial<Record<BlockerCode, readonly OrderActionId[]>> = {
  payment_missing: ['record', 'extend'],
  payment_overdue: ['extend', 'late'],
  acceptance_missing: ['accept'],
  mint_on_hold: ['release'],
}

interface OrderRemedyProps {
  readonly blocker: Schemas['Blocker']
  readonly order: Order
  readonly actions: readonly (Action & { id: OrderActionId })[]
}

/** Buttons that remove a blocker, and the way to the object that it is about. */
export function OrderRemedy({ blocker, order, actions }: OrderRemedyProps) {
  const { t } = useTranslation()
  const ofOrder = (own[blocker.code] ?? []).flatMap((id) => actions.find((action) => action.id === id) ?? [])
  const ofOthers = useRemedies(blocker, order)
  const isOfInvestor = /^(approval|wallet|benefiting)/.test(blocker.code)
  const isOfOffering = /^(token|minting|soft_cap)/.test(blocker.code)
  return (
    <div className="line" style={{ flexWrap: 'nowrap', flexShrink: 0 }}>
      {isOfInvestor && (
        <Link className="link nowrap" to="/investors/$accountId" params={{ accountId: order.account.id }}>
          {t('orders.openInvestor')}
        </Link>
      )}
      {isOfOffering && (
        <Link className="link nowrap" to="/offerings/$offeringId" params={{ offeringId: order.offering.id }}>
          {t('orders.openOffering')}
        </Link>
      )}
      <Actions actions={[...ofOrder, ...ofOthers]} isCompact />
    </div>
  )
}

/** Remedies at the investor or the offering of an order. */
function useRemedies({ code, message }: Schemas['Blocker'], { account, offering }: Order): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  const reason = { name: 'reason', label: t('parts.reason'), kind: 'long', hint: t('parts.reasonHint') } as const
  const name = account.full_name
  if (code === 'approval_missing' && may('compliance')) {
    const check = message.includes('kyb') ? 'kyb' : 'kyc'
    const text = { name, check: check.toUpperCase(), from: '…', to: 'APPROVED' }
    return [
      {
        id: 'approve',
        label: `${t('investors.approve')} ${check.toUpperCase()}`,
        consequence: t('orders.approveText', text),
        fields: [reason],
        run: (key, values) =>
          bodyOf(
            api.POST('/accounts/{accountId}/decision', {
              params: { path: { accountId: account.id }, header: once(key) },
              body: { [check]: 'APPROVED', reason: values['reason'] ?? '' },
            }),
          ),
        done: t('investors.decided', text),
      },
    ]
  }
  if (code === 'benefiting_person_missing' && may('compliance')) {
    const fields = ['firstname', 'lastname', 'street', 'zip', 'state', 'city', 'country'] as const
    return [
      {
        id: 'person',
        label: t('investors.addPerson'),
        consequence: t('investors.addPersonText', { name }),
        fields: fields.map((field) => ({ name: field, label: t(`investors.person.${field}`), kind: 'text' as const })),
        run: (key, values) =>
          bodyOf(
            api.POST('/accounts/{accountId}/benefiting-persons', {
              params: { path: { accountId: account.id }, header: once(key) },
              body: values as Schemas['NewBenefitingPerson'],
            }),
          ),
        done: t('investors.personAdded'),
      },
    ]
  }
  if (code === 'minting_stopped' && may('settlement', offering.id))
    return [
      {
        id: 'resume',
        label: t('offerings.resume'),
        consequence: message,
        fields: [reason],
        run: (key, values) =>
          bodyOf(
            api.POST('/offerings/{offeringId}/resume-minting', {
              params: { path: { offeringId: offering.id }, header: once(key) },
              body: { reason: values['reason'] ?? '' },
            }),
          ),
        done: t('offerings.resumed'),
      },
    ]
  return []
}
