import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action } from '../parts/actions.tsx'
import { actionsColumn, type Column, copiedColumn, figureColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { optionsOf } from '../parts/filter.ts'
import { SidePanel } from '../parts/side-panel.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { ActiveState } from './active-state.tsx'
import { CredentialRequests } from './credential-requests.tsx'
import { type OnSecret, secretOf } from './secret-of.ts'

type Credential = Schemas['Credential']

const scopes: readonly Credential['scopes'][number][] = [
  'offering.read',
  'account.create',
  'account.read',
  'account.update',
  'wallet.read',
  'order.create',
  'order.read',
  'order.update',
  'order.delete',
]

export function Credentials({ onSecret }: { onSecret: OnSecret }) {
  const { t } = useTranslation()
  const may = useMay()
  const issue = useIssueAction(onSecret)
  const list = useList<Credential>(['credentials'], (query) => api.get('/credentials', { query }))
  const [open, setOpen] = useState<Credential>()
  return (
    <TableCard
      title={t('developers.credentials')}
      actions={may('integrations') ? [issue] : []}
      list={list}
      idOf={({ client_id: id }) => id}
      onOpen={setOpen}
      emptyText={t('developers.noCredentials')}
      columns={useCredentialColumns(onSecret)}
    >
      {open && (
        <SidePanel title={t('developers.requestsOf', { name: open.name })} onClose={() => setOpen(undefined)}>
          <CredentialRequests clientId={open.client_id} />
        </SidePanel>
      )}
    </TableCard>
  )
}

function useCredentialColumns(onSecret: OnSecret): Column<Credential>[] {
  const { t } = useTranslation()
  return [
    { id: 'name', header: t('investors.name'), cell: ({ name }) => name },
    copiedColumn('id', t('developers.clientId'), 150, (one) => one.client_id),
    textColumn('scopes', t('developers.scopes'), (one) => one.scopes.join(', ')),
    figureColumn('limit', t('developers.perMinute'), 110, (one) => one.requests_per_minute),
    { id: 'state', header: t('orders.status'), width: 120, cell: (one) => <ActiveState {...one} /> },
    timeColumn('used', t('developers.lastUsed'), (one) => one.last_used_at),
    actionsColumn(t('parts.actions'), 210, useCredentialActions(onSecret)),
  ]
}

function useIssueAction(onSecret: OnSecret): Action {
  const { t } = useTranslation()
  return {
    id: 'issue',
    label: t('developers.issue'),
    consequence: t('developers.issueText'),
    fields: [
      { name: 'name', label: t('investors.name'), kind: 'text' },
      { name: 'scopes', label: t('developers.scopes'), kind: 'choices', options: optionsOf(scopes) },
    ],
    run: (_key, { name = '', scopes: chosen = '' }) =>
      api.post('/credentials', { body: { name, scopes: chosen.split(',') as Credential['scopes'] } }),
    done: t('developers.issued'),
    onDone: (result) => onSecret(secretOf(result)),
  }
}

function useCredentialActions(onSecret: OnSecret): (credential: Credential) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ client_id: clientId, name, disabled_at: disabledAt, requests_per_minute: limit, scopes: granted }) => {
    if (!may('integrations') || disabledAt) return []
    const path = { path: { clientId } }
    return [
      {
        id: 'rotate',
        label: t('developers.rotate'),
        consequence: t('developers.rotateText', { name }),
        run: () => api.post('/credentials/{clientId}/rotate', { ...path, body: {} }),
        done: t('developers.rotated'),
        onDone: (result) => onSecret(secretOf(result)),
      },
      {
        id: 'change',
        label: t('developers.change'),
        consequence: t('developers.changeCredentialText'),
        fields: [
          { name: 'name', label: t('investors.name'), kind: 'text', initial: name },
          { name: 'limit', label: t('developers.perMinute'), kind: 'text', initial: String(limit) },
          {
            name: 'scopes',
            label: t('developers.scopes'),
            kind: 'choices',
            options: optionsOf(scopes),
            initial: granted.join(','),
          },
        ],
        run: (_key, values) =>
          api.patch('/credentials/{clientId}', {
            ...path,
            body: {
              name: values['name'] ?? name,
              requests_per_minute: Number(values['limit']),
              scopes: (values['scopes'] ?? '').split(',') as Credential['scopes'],
            },
          }),
        done: t('developers.credentialChanged'),
      },
      {
        id: 'disable',
        label: t('developers.disable'),
        isDangerous: true,
        consequence: t('developers.disableText', { name }),
        run: () => api.post('/credentials/{clientId}/disable', path),
        done: t('developers.disableDone'),
      },
    ]
  }
}
