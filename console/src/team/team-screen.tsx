import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { type Duty, useMay, useMe } from '../api/me.ts'
import { useNameOf } from '../api/people.ts'
import { SecretPanel } from '../developers/secret-panel.tsx'
import { type Action, Actions, offeredActions } from '../parts/actions.tsx'
import { actionsColumn, type Column, textColumn, timeColumn } from '../parts/columns.tsx'
import { DataTable } from '../parts/data-table.tsx'
import type { ActionField } from '../parts/field-input.tsx'
import { optionsOf } from '../parts/filter.ts'
import { PageTitle } from '../parts/page-title.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { State } from '../parts/state.tsx'
import { duties } from './duties.ts'
import { Policies } from './policies.tsx'
import { UserAccess } from './user-access.tsx'

type User = Schemas['User']

/** Shows people and their duties. Every change to them needs a second person. */
export function TeamScreen() {
  const { t } = useTranslation()
  const may = useMay()
  const list = useList<User>(['users'], (query) => api.get('/users', { query }))
  const columns = useColumns()
  const [open, setOpen] = useState<User>()
  const [secret, setSecret] = useState<string>()
  const invite = useInvite(may('team'))
  return (
    <div className="page">
      <PageTitle title={t('nav.team')} count={list.count}>
        <Actions actions={invite} />
      </PageTitle>
      <DataTable
        label={t('nav.team')}
        list={list}
        columns={columns}
        isShort
        onOpen={setOpen}
        emptyText={t('team.empty')}
      />
      <Policies />
      {open && !secret && (
        <SidePanel title={open.name} onClose={() => setOpen(undefined)}>
          <UserAccess user={open} onSecret={setSecret} />
        </SidePanel>
      )}
      {secret !== undefined && <SecretPanel secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  )
}

function useInvite(mayInvite: boolean): Action[] {
  const { t } = useTranslation()
  if (!mayInvite) return []
  return [
    {
      id: 'invite',
      label: t('team.invite'),
      consequence: t('team.inviteText'),
      fields: [
        { name: 'name', label: t('investors.name'), kind: 'text' },
        { name: 'email', label: t('investors.email'), kind: 'text' },
        dutiesField(duties, 'read', t),
      ],
      run: (_key, { name = '', email = '', duties: chosen = '' }) =>
        api.post('/users', { body: { name, email, duties: grantsOf(chosen) } }),
      done: t('team.invited'),
    },
    {
      id: 'service-user',
      label: t('team.createService'),
      consequence: t('team.createServiceText'),
      fields: [
        { name: 'name', label: t('investors.name'), kind: 'text' },
        dutiesField(
          duties.filter((duty) => duty !== 'team'),
          'read',
          t,
        ),
      ],
      run: (_key, { name = '', duties: chosen = '' }) =>
        api.post('/service-users', { body: { name, duties: grantsOf(chosen) } }),
      done: t('team.changed'),
    },
  ]
}

function dutiesField(from: readonly Duty[], initial: string, t: TFunction): ActionField {
  return { name: 'duties', label: t('team.duties'), kind: 'choices', options: optionsOf(from), initial }
}

function grantsOf(chosen: string): Schemas['DutyGrant'][] {
  return chosen
    .split(',')
    .filter(Boolean)
    .map((duty) => ({ duty: duty as Duty }))
}

function useColumns(): Column<User>[] {
  const { t } = useTranslation()
  const nameOf = useNameOf()
  const actionsOf = useUserActions()
  return [
    { id: 'name', header: t('investors.name'), width: 140, cell: ({ name }) => name },
    textColumn('email', t('investors.email'), ({ email, kind }) => email ?? kind),
    textColumn('duties', t('team.duties'), ({ duties: granted }) =>
      granted.map(({ duty, offering_ids: ids }) => (ids ? `${duty} (${ids.length})` : duty)).join(', '),
    ),
    { id: 'state', header: t('orders.status'), width: 120, cell: (user) => <UserState user={user} /> },
    { id: 'by', header: t('team.invitedBy'), width: 130, cell: ({ invited_by: id }) => nameOf(id) },
    timeColumn('since', t('investors.since'), (one) => one.created_at),
    actionsColumn(t('parts.actions'), 175, actionsOf),
  ]
}

function UserState({ user }: { user: User }) {
  const { t } = useTranslation()
  if (user.removed_at) return <State state="failed" label={t('team.removed')} />
  if (user.has_signed_in || user.kind === 'service') return <State state="ACTIVE" label={t('team.active')} />
  return <State state="PENDING" label={t('team.waiting')} />
}

function useUserActions(): (user: User) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  const me = useMe()
  return ({ id, name, kind, duties: granted, has_signed_in: hasSignedIn, removed_at: removedAt }) => {
    if (!may('team') || removedAt || id === me.user.id) return []
    const path = { path: { userId: id } }
    // Choosing from a list of duties would lose a limit to offerings.
    const isLimited = granted.some(({ offering_ids: ids }) => ids)
    return offeredActions([
      !isLimited && {
        id: 'duties',
        label: t('team.changeDuties'),
        consequence: t('team.changeDutiesText', { name }),
        fields: [dutiesField(duties, granted.map(({ duty }) => duty).join(), t)],
        run: (_key, { duties: chosen = '' }) =>
          api.patch('/users/{userId}', { ...path, body: { duties: grantsOf(chosen) } }),
        done: t('team.changed'),
      },
      !hasSignedIn &&
        kind === 'person' && {
          id: 'resend',
          label: t('team.resend'),
          consequence: t('team.resendText', { name }),
          run: () => api.post('/users/{userId}/invitation', path),
          done: t('team.resent'),
        },
      {
        id: 'remove',
        label: t('team.remove'),
        isDangerous: true,
        consequence: t('team.removeText', { name }),
        run: () => api.post('/users/{userId}/remove', path),
        done: t('team.removeDone'),
      },
    ])
  }
}
