import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { decisionOf } from '../investors/use-decisions.ts'
import { type Action, Actions, reasonField } from '../parts/actions.tsx'
import type { OrderAction, OrderActionId } from './order-actions.ts'

type Order = Schemas['OperatorOrder']
type BlockerCode = Schemas['Blocker']['code']

/** Actions of the order that remove each blocker. */
const own: Partial<Record<BlockerCode, readonly OrderActionId[]>> = {
  payment_missing: ['record', 'extend'],
  payment_overdue: ['extend', 'late'],
  acceptance_missing: ['accept'],
  mint_on_hold: ['release'],
}

interface OrderRemedyProps {
  readonly blocker: Schemas['Blocker']
  readonly order: Order
  readonly actions: readonly OrderAction[]
}

/** Buttons that remove a blocker, and a link to the object that it is about. */
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

/** Returns remedies that change the investor or the offering of an order. */
function useRemedies({ code, message }: Schemas['Blocker'], { account, offering }: Order): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  const isApproval = code === 'approval_missing' && may('compliance')
  const { data: investor } = useQuery({
    queryKey: ['account', account.id],
    queryFn: () => api.get('/accounts/{accountId}', { path: { accountId: account.id } }),
    enabled: isApproval,
  })
  if (isApproval && investor) {
    const check = message.includes('kyb') ? 'kyb' : 'kyc'
    return [decisionOf(investor, { name: account.full_name, check, to: 'APPROVED' }, t)]
  }
  if (code === 'benefiting_person_missing' && may('compliance')) return [addPersonAction(account, t)]
  if (code === 'minting_stopped' && may('settlement', offering.id)) return [resumeMintingAction(offering, message, t)]
  return []
}

function addPersonAction({ id, full_name: name }: Order['account'], t: TFunction): Action {
  const fields = ['firstname', 'lastname', 'street', 'zip', 'state', 'city', 'country'] as const
  return {
    id: 'person',
    label: t('investors.addPerson'),
    consequence: t('investors.addPersonText', { name }),
    fields: fields.map((field) => ({ name: field, label: t(`investors.person.${field}`), kind: 'text' })),
    run: (key, values) =>
      api.post('/accounts/{accountId}/benefiting-persons', {
        path: { accountId: id },
        key,
        body: values as Schemas['NewBenefitingPerson'],
      }),
    done: t('investors.personAdded'),
  }
}

function resumeMintingAction({ id }: Order['offering'], why: string, t: TFunction): Action {
  return {
    id: 'resume',
    label: t('offerings.resume'),
    consequence: why,
    fields: [reasonField(t)],
    run: (key, { reason = '' }) =>
      api.post('/offerings/{offeringId}/resume-minting', { path: { offeringId: id }, key, body: { reason } }),
    done: t('offerings.resumed'),
  }
}
