import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { actionsColumn, type Column, timeColumn } from '../parts/columns.tsx'
import { TableCard } from '../parts/table-card.tsx'

type Invited = Schemas['InvitedAccount']

interface InvitationsProps {
  readonly offering: Schemas['OperatorOffering']
  readonly isInvitedOnly: boolean
}

/** Accounts that may buy an offering for invited accounts. */
export function Invitations({ offering: { id: offeringId }, isInvitedOnly }: InvitationsProps) {
  const { t } = useTranslation()
  const may = useMay()
  const list = useList<Invited>(['offering', offeringId, 'invitations'], (query) =>
    api.get('/offerings/{offeringId}/invitations', { path: { offeringId }, query }),
  )
  const invite = useInvite(offeringId, isInvitedOnly)
  const withdraw = useWithdraw(offeringId)
  const mayChange = may('offerings', offeringId)
  const columns: Column<Invited>[] = [
    {
      id: 'name',
      header: t('orders.investor'),
      cell: ({ account_id: accountId, account_name: name }) => (
        <Link className="link" to="/investors/$accountId" params={{ accountId }}>
          {name}
        </Link>
      ),
    },
    timeColumn('since', t('investors.since'), (one) => one.invited_at),
    actionsColumn(t('parts.actions'), 130, (one) => (mayChange ? [withdraw(one)] : [])),
  ]
  return (
    <TableCard
      title={t('rules.invitedTitle')}
      actions={mayChange ? [invite] : []}
      list={list}
      idOf={({ account_id: id }) => id}
      emptyText={isInvitedOnly ? t('rules.nobodyInvited') : t('rules.noInvitation')}
      columns={columns}
    />
  )
}

function useInvite(offeringId: string, isInvitedOnly: boolean): Action {
  const { t } = useTranslation()
  return {
    id: 'invite',
    label: t('rules.invite'),
    consequence: isInvitedOnly ? t('rules.inviteText') : t('rules.inviteWithoutRule'),
    fields: [{ name: 'accounts', label: t('rules.accounts'), kind: 'long', hint: t('rules.accountsHint') }],
    run: (key, { accounts = '' }) =>
      api.post('/offerings/{offeringId}/invitations', {
        path: { offeringId },
        key,
        body: { account_ids: accounts.split(/[\s,;]+/).filter(Boolean) },
      }),
    done: t('rules.invited'),
  }
}

function useWithdraw(offeringId: string): (invited: Invited) => Action {
  const { t } = useTranslation()
  return ({ account_id: accountId, account_name: name }) => ({
    id: 'withdraw',
    label: t('rules.withdraw'),
    isDangerous: true,
    consequence: t('rules.withdrawText', { name }),
    run: (key) =>
      api.post('/offerings/{offeringId}/invitations/{accountId}/withdraw', { path: { offeringId, accountId }, key }),
    done: t('rules.withdrawn'),
  })
}
