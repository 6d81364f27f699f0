import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { decisionOf } from '../investors/use-decisions.ts'
import { resumeMintingAction } from '../offerings/offering-actions.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { remediesOf } from './blocker-remedies.ts'
import type { OrderAction } from './order-actions.ts'

type Order = Schemas['OperatorOrder']

interface OrderRemedyProps {
  readonly blocker: Schemas['Blocker']
  readonly order: Order
  readonly actions: readonly OrderAction[]
}

/** Buttons that remove a blocker, and a link to the object that it is about. */
export function OrderRemedy({ blocker, order, actions }: OrderRemedyProps) {
  const { t } = useTranslation()
  const remedies = remediesOf(blocker)
  const ofOrder = remedies.flatMap((id) => actions.find((action) => action.id === id) ?? [])
  const ofOthers = useOtherActions(blocker, order)
  return (
    <div className="line" style={{ flexWrap: 'nowrap', flexShrink: 0 }}>
      {remedies.includes('openInvestor') && (
        <Link className="link nowrap" to="/investors/$accountId" params={{ accountId: order.account.id }}>
          {t('orders.openInvestor')}
        </Link>
      )}
      {remedies.includes('openOffering') && (
        <Link className="link nowrap" to="/offerings/$offeringId" params={{ offeringId: order.offering.id }}>
          {t('orders.openOffering')}
        </Link>
      )}
      <Actions actions={[...ofOrder, ...ofOthers]} isCompact />
    </div>
  )
}

/** Returns remedies that change the investor or the offering of an order. */
function useOtherActions(blocker: Schemas['Blocker'], { account, offering }: Order): Action[] {
  const { t } = useTranslation()
  const remedies = remediesOf(blocker)
  const may = useMay()
  const isApproval = remedies.includes('approve') && may('compliance')
  const { data: investor } = useQuery({
    queryKey: ['account', account.id],
    queryFn: () => api.get('/accounts/{accountId}', { path: { accountId: account.id } }),
    enabled: isApproval,
  })
  if (isApproval && investor) {
    const check = blocker.message.includes('kyb') ? 'kyb' : 'kyc'
    return [decisionOf(investor, { name: account.full_name, check, to: 'APPROVED' }, t)]
  }
  if (remedies.includes('addPerson') && may('compliance')) return [addPersonAction(account, t)]
  if (remedies.includes('resumeMinting') && may('settlement', offering.id))
    return [resumeMintingAction(offering.id, blocker.message, t)]
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
