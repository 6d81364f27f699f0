import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Time } from '../parts/time.tsx'

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
    bodyOf(api.GET('/offerings/{offeringId}/invitations', { params: { path: { offeringId }, query } })),
  )
  const invite = useInvite(offeringId, isInvitedOnly)
  const withdraw = useWithdraw(offeringId)
  const mayChange = may('offerings', offeringId)
  return (
    <section className="card">
      <div className="spread section-title">
        <h2>{t('rules.invitedTitle')}</h2>
        <Actions actions={mayChange ? [invite] : []} isCompact />
      </div>
      <DataTable
        label={t('rules.invitedTitle')}
        list={list}
        idOf={({ account_id: id }) => id}
        isShort
        emptyText={isInvitedOnly ? t('rules.nobodyInvited') : t('rules.noInvitation')}
        columns={[
          {
            id: 'name',
            header: t('orders.investor'),
            cell: ({ account_id: accountId, account_name: name }) => (
              <Link className="link" to="/investors/$accountId" params={{ accountId }}>
                {name}
              </Link>
            ),
          },
          {
            id: 'since',
            header: t('investors.since'),
            width: 140,
            cell: ({ invited_at: at }) => <Time time={at} isRelative />,
          },
          {
            id: 'actions',
            header: t('parts.actions'),
            width: 130,
            cell: (one) => <Actions actions={mayChange ? [withdraw(one)] : []} isCompact />,
          },
        ]}
      />
    </section>
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
      bodyOf(
        api.POST('/offerings/{offeringId}/invitations', {
          params: { path: { offeringId }, header: once(key) },
          body: { account_ids: accounts.split(/[\s,;]+/).filter(Boolean) },
        }),
      ),
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
      bodyOf(
        api.POST('/offerings/{offeringId}/invitations/{accountId}/withdraw', {
          params: { path: { offeringId, accountId }, header: once(key) },
        }),
      ),
    done: t('rules.withdrawn'),
  })
}
