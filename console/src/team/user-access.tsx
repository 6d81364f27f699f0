import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay, useMe } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type Column, textColumn, timeColumn } from '../parts/columns.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { State } from '../parts/state.tsx'

type User = Schemas['User']
type Session = Schemas['Session']
type Token = Schemas['PersonalToken']

interface UserAccessProps {
  readonly user: User
  /** Receives a token that is shown once. */
  readonly onSecret: (secret: string) => void
}

/** Sessions and tokens of a user. */
export function UserAccess({ user, onSecret }: UserAccessProps) {
  const may = useMay()
  const me = useMe()
  const mayEnd = may('team') || user.id === me.user.id
  return (
    <div className="stack">
      {user.kind === 'person' && <Sessions userId={user.id} mayEnd={mayEnd} />}
      <Tokens user={user} mayEnd={mayEnd} onSecret={onSecret} />
    </div>
  )
}

function Sessions({ userId, mayEnd }: { userId: string; mayEnd: boolean }) {
  const { t } = useTranslation()
  const list = useList<Session>(['user', userId, 'sessions'], (query) =>
    api.get('/users/{userId}/sessions', { path: { userId }, query }),
  )
  const end = ({ id: sessionId }: Session): Action => ({
    id: 'end',
    label: t('team.endSession'),
    isDangerous: true,
    consequence: t('team.endSessionText'),
    run: () => api.post('/users/{userId}/sessions/{sessionId}/revoke', { path: { userId, sessionId } }),
    done: t('team.sessionEnded'),
  })
  const columns: Column<Session>[] = [
    textColumn('agent', t('team.browser'), (one) => one.user_agent),
    { id: 'address', header: t('team.source'), width: 130, cell: ({ source_address: address }) => address },
    timeColumn('seen', t('team.lastSeen'), (one) => one.last_seen_at),
    {
      id: 'actions',
      header: t('parts.actions'),
      width: 130,
      cell: (session) => {
        if (session.is_current) return t('team.thisOne')
        const hasEnded = session.revoked_at !== null || new Date(session.expires_at) < new Date()
        return hasEnded ? t('team.ended') : <Actions actions={mayEnd ? [end(session)] : []} isCompact />
      },
    },
  ]
  return (
    <section>
      <h3>{t('team.sessions')}</h3>
      <DataTable label={t('team.sessions')} list={list} isShort emptyText={t('team.noSessions')} columns={columns} />
    </section>
  )
}

function Tokens({ user, mayEnd, onSecret }: UserAccessProps & { mayEnd: boolean }) {
  const { t } = useTranslation()
  const me = useMe()
  const may = useMay()
  const userId = user.id
  const list = useList<Token>(['user', userId, 'tokens'], (query) =>
    api.get('/users/{userId}/tokens', { path: { userId }, query }),
  )
  const create = useCreateToken(user, onSecret)
  const revoke = useRevokeToken(userId)
  const mayCreate = user.kind === 'service' ? may('team') : userId === me.user.id
  const columns: Column<Token>[] = [
    { id: 'name', header: t('investors.name'), cell: ({ name }) => name },
    timeColumn('used', t('developers.lastUsed'), (one) => one.last_used_at),
    timeColumn('expires', t('approvals.expires'), (one) => one.expires_at),
    {
      id: 'actions',
      header: t('parts.actions'),
      width: 130,
      cell: (token) =>
        token.revoked_at ? (
          <State state="failed" label={t('team.revoked')} />
        ) : (
          <Actions actions={mayEnd ? [revoke(token)] : []} isCompact />
        ),
    },
  ]
  return (
    <section>
      <div className="spread">
        <h3>{t('team.tokens')}</h3>
        <Actions actions={mayCreate && !user.removed_at ? [create] : []} isCompact />
      </div>
      <DataTable label={t('team.tokens')} list={list} isShort emptyText={t('team.noTokens')} columns={columns} />
    </section>
  )
}

function useCreateToken({ id: userId, kind }: User, onSecret: (secret: string) => void): Action {
  const { t } = useTranslation()
  return {
    id: 'create',
    label: t('team.createToken'),
    consequence: t('team.createTokenText'),
    fields: [
      { name: 'name', label: t('investors.name'), kind: 'text' },
      { name: 'days', label: t('team.tokenDays'), kind: 'text', initial: '90' },
    ],
    run: (_key, { name = '', days = '' }) => {
      const options = { path: { userId }, body: { name, expires_in_days: Number(days) } }
      return kind === 'service'
        ? api.post('/service-users/{userId}/tokens', options)
        : api.post('/users/{userId}/tokens', options)
    },
    done: t('team.tokenCreated'),
    onDone: (result) => {
      const { token } = result as { token?: string }
      if (token) onSecret(token)
    },
  }
}

function useRevokeToken(userId: string): (token: Token) => Action {
  const { t } = useTranslation()
  return ({ id: tokenId, name }) => ({
    id: 'revoke',
    label: t('team.revokeToken'),
    isDangerous: true,
    consequence: t('team.revokeTokenText', { name }),
    run: () => api.post('/users/{userId}/tokens/{tokenId}/revoke', { path: { userId, tokenId } }),
    done: t('team.tokenRevoked'),
  })
}
