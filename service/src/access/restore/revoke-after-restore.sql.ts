import type pg from 'pg'
import { withoutForcedPolicies } from '../../platform/postgres/restored-database.ts'

/** Number of each kind that was revoked. */
export interface Revoked {
  credentials: number
  sessions: number
  personalTokens: number
  invitations: number
}

const tables = [
  'directory.credential',
  'directory.operator_session',
  'directory.personal_token',
  'directory.invitation',
  'directory.device_authorization',
]

/**
 * Revokes every token, session, link and device of all tenants: the restored directory does not know which of them were
 * revoked or used after that moment. Integrators get new access tokens with their secrets, people sign in again.
 */
export function revokeEverything(client: pg.Client): Promise<Revoked> {
  return withoutForcedPolicies(client, tables, async () => {
    // Rounds up to a full second, the precision of a token's issue time.
    const credentials = await client.query(
      `update directory.credential
       set tokens_not_before = date_trunc('second', now() + interval '999.999 milliseconds')`,
    )
    const sessions = await client.query(
      'update directory.operator_session set revoked_at = now() where revoked_at is null',
    )
    const tokens = await client.query('update directory.personal_token set revoked_at = now() where revoked_at is null')
    const invitations = await client.query(
      `update directory.invitation set expires_at = now() where used_at is null and expires_at > now()`,
    )
    await client.query('delete from directory.device_authorization')
    return {
      credentials: credentials.rowCount ?? 0,
      sessions: sessions.rowCount ?? 0,
      personalTokens: tokens.rowCount ?? 0,
      invitations: invitations.rowCount ?? 0,
    }
  })
}

/** A credential, user or tenant that was revoked after the moment of the restore, and is revoked again. */
export interface RevokedAgain {
  id: string
  kind: 'credential' | 'user' | 'tenant'
}

/** Disables credentials and tenants and removes users with these ids. Returns those that exist. */
export function revokeAgain(client: pg.Client, ids: readonly string[]): Promise<RevokedAgain[]> {
  return withoutForcedPolicies(
    client,
    ['directory.tenant', 'directory.operator_user', 'directory.credential'],
    async () => {
      const { rows } = await client.query<RevokedAgain>(
        `with credentials as (
           update directory.credential set disabled_at = coalesce(disabled_at, now()) where id = any($1) returning id
         ), users as (
           update directory.operator_user set removed_at = coalesce(removed_at, now()) where id = any($1) returning id
         ), tenants as (
           update directory.tenant set disabled_at = coalesce(disabled_at, now()) where id = any($1) returning id
         )
         select id, 'credential' as kind from credentials
         union all select id, 'user' from users union all select id, 'tenant' from tenants`,
        [ids],
      )
      return rows
    },
  )
}

/** Ends the restored secrets of credentials that were rotated after that moment: others have replaced them. */
export function endRotatedSecrets(client: pg.Client, clientIds: readonly string[]): Promise<number> {
  return withoutForcedPolicies(client, ['directory.credential_secret'], async () => {
    const { rowCount } = await client.query(
      `update directory.credential_secret set expires_at = now()
       where credential_id = any($1) and (expires_at is null or expires_at > now())`,
      [clientIds],
    )
    return rowCount ?? 0
  })
}

/** Returns all tenants of the directory and their cells. */
export function selectPlacements(client: pg.Client): Promise<{ tenantId: string; cell: string }[]> {
  return withoutForcedPolicies(client, ['directory.tenant'], async () => {
    const { rows } = await client.query<{ tenantId: string; cell: string }>(
      'select id as "tenantId", cell from directory.tenant order by id',
    )
    return rows
  })
}

/**
 * Ends the requests that wait for a second person: one that was decided after the moment of the restore waits again,
 * and confirming it would repeat its effect outside the database. Returns how many there were.
 */
export function expirePendingApprovals(client: pg.Client, tenantId?: string): Promise<number> {
  return withoutForcedPolicies(client, tenantId ? [] : ['base.approval'], async () => {
    const { rowCount } = await client.query(
      `update base.approval set expires_at = now() where state = 'pending' and expires_at > now()
         and ($1::uuid is null or tenant_id = $1 and database = 'cell')`,
      [tenantId],
    )
    return rowCount ?? 0
  })
}
