import type { QueryClient } from '@tanstack/react-query'
import { reportSessionStart } from '../api/connection.ts'
import { type Me, meQuery } from '../api/me.ts'
import { problemOf } from '../api/problem.ts'
import { signInAgain } from '../api/step-up.ts'

/** Signs in with a passkey, without leaving the page. */
export async function resumeSession(client: QueryClient, before: Me): Promise<void> {
  await signInAgain()
  await continueSession(client, before)
}

/** Keeps the screen if the new session is of the same person in the same tenant. */
export async function continueSession(client: QueryClient, before: Me): Promise<void> {
  let me = await readMe()
  if (me.tenant.id !== before.tenant.id && me.tenants.some(({ id }) => id === before.tenant.id)) {
    await send('POST', '/switch-tenant', { tenant_id: before.tenant.id })
    me = await readMe()
  }
  // Data of one tenant or person must not stay on the screen of another.
  if (me.user.id !== before.user.id || me.tenant.id !== before.tenant.id) location.assign('/console')
  client.setQueryData(meQuery.queryKey, me)
  reportSessionStart()
}

const readMe = (): Promise<Me> => send('GET', '/me')

/** Bypasses the API client, which would report a missing session. */
async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fetch(`/operator${path}`, {
    method,
    headers: { 'X-Console': '1', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw await problemOf(response)
  return response.json() as Promise<Body>
}
