import { setTimeout as sleep } from 'node:timers/promises'
import { AcmeProvider } from '../browser/acme-provider.ts'
import { TestBrowser } from '../browser/test-browser.ts'
import { confirmAs } from '../callers/second-person.ts'
import { SignInWorld } from '../callers/sign-in-world.ts'
import { individual } from '../data/bodies.ts'
import { freePort } from '../installation/process.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'

const oneYear = { name: 'for later', expires_in_days: 366 }

/** A thief of a token must not get another one that survives when the owner notices and revokes the first. */
export const tokenFromToken: Attack = {
  name: 'a stolen one-day token makes a one-year token that survives its revocation',
  isShort: true,
  run: async (stack) => {
    const api = await stack.operatorApi()
    const tenantId = await stack.installation.createTenant('Careless')
    const owner = await stack.installation.createOperator(tenantId, { days: 1 })
    const ownPath = `/users/${owner.userId}`
    const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
      body.error?.code ?? String(status)
    const call = (path: string, proof: { token: string } | { cookie: string }, body?: object) =>
      api.call('POST', path, { ...proof, ...(body && { body }) })
    const byToken = await call(`${ownPath}/tokens`, { token: owner.token }, oneYear)
    // Through a service user the attacker could get a token only together with a second person.
    const { userId } = await stack.installation.createServiceUser(tenantId, { duties: ['money'], createdBy: null })
    const forService = await call(`/service-users/${userId}/tokens`, { token: owner.token }, oneYear)
    // A stolen session can create tokens, but they end with it.
    const bySession = await call(`${ownPath}/tokens`, { cookie: owner.cookie }, oneYear)
    await call(`${ownPath}/sessions/${owner.sessionId}/revoke`, { token: owner.token })
    const afterwards = await api.call('GET', '/users', { token: String(bySession.body.token) })
    await call(`${ownPath}/tokens/${owner.tokenId}/revoke`, { token: owner.token })
    const stolen = await api.call('GET', '/users', { token: owner.token })
    const codes = [byToken, forService, bySession, afterwards, stolen].map(codeOf)
    const [token = '', service = '', session = '', child = '', parent = ''] = codes
    return {
      isDefended: codes.join() === 'session_required,202,201,token_revoked,token_revoked',
      observed:
        `token from a token: ${token}; for a service user: ${service}, waits for a second person; ` +
        `from a session: ${session}, and once that is revoked: ${child}; the stolen token: ${parent}`,
    }
  },
}

/** One administrator wants the names and addresses of all investors, which takes two people to export. */
export const credentialThatListsNames: Attack = {
  name: 'one administrator issues a credential that lists names and e-mail addresses',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const { offeringId } = await stack.order(tenant)
    await stack.installation.useDefaultPolicies(tenant.id)
    const [admin, operatorApi, api] = [await stack.user(tenant), await stack.operatorApi(), await stack.api()]
    const exported = await operatorApi.call('POST', '/exports', {
      cookie: admin.who.cookie,
      body: { kind: 'orders', with_personal_data: true },
    })
    const scopes = ['order.read']
    const issued = await admin.post('/credentials', { name: 'mine', scopes })
    if (issued.status === 202)
      return { isDefended: exported.status === 202, observed: `export ${exported.status}, credential 202` }
    const { client_id, client_secret } = issued.body
    const { body } = await api.call('POST', '/auth', { body: { client_id, client_secret, scopes } })
    const list = await api.call('GET', `/offerings/${offeringId}/orders`, { token: body.access_token })
    const observed = `export ${exported.status}, credential ${issued.status}: ${JSON.stringify(list.body.results[0].account)}`
    return { isDefended: false, observed }
  },
}

const pauseMs = 5_000

/** An intruder sits at the browser of a person who has signed in with two factors, without having either factor. */
export const rememberedSecondFactor: Attack = {
  name: 'a sign-in at a provider that remembers the person counts as a fresh second factor',
  run: async () => {
    const port = await freePort()
    const provider = await AcmeProvider.open(port)
    const world = await SignInWorld.start({ ...provider.settings, OIDC_SECOND_FACTORS: 'acme=mfa' }, port)
    const browser = await TestBrowser.launch()
    try {
      const tenantId = await world.installation.createTenant('A')
      await world.sql("update directory.tenant set identity_provider = 'acme' where id = $1", [tenantId])
      const { userId, secret } = await world.invite(tenantId)
      const grace = await browser.person('grace', { baseURL: world.origin })
      await provider.accept(grace, secret, 'Grace Hopper', { secondFactor: true })
      const { page } = grace
      await sleep(pauseMs)
      await page.goto('/console/sign-in')
      await page.getByRole('button', { name: 'Continue with acme' }).click()
      await page.waitForURL('**/console')
      const rows = await world.installation.rows(
        `select extract(epoch from created_at - stepped_up_at)::float as age from directory.operator_session
           where user_id = $1 order by created_at desc limit 1`,
        [userId],
      )
      const { age } = rows[0] as { age: number | null }
      return {
        isDefended: age === null || age * 1_000 >= pauseMs - 1_000,
        observed: `${pauseMs / 1_000} s after the second factor, the new session says that it is ${age ?? 'no'} s old`,
      }
    } finally {
      await browser.close()
      await world.installation.end()
      await provider.stop()
    }
  },
}

const formula = `=cmd|'/C calc'!A0`

export const semicolonFormulas: Attack = {
  name: 'an investor whose name has a formula behind a semicolon waits for an export of orders',
  isShort: true,
  run: async (stack) => {
    const { installation } = stack
    await stack.worker()
    const [tenant, api] = [await stack.tenant(), await stack.operatorApi()]
    const clerk = await stack.user(tenant)
    const named = { ...individual.individual, firstName: `Max;${formula};x`, lastName: 'Muster' }
    const accountId = await tenant.account({ ...individual, individual: named })
    await tenant.order(await tenant.fixtures.offering(tenant.id), accountId)
    const body = { kind: 'orders', with_personal_data: true }
    const requested = await api.call('POST', '/exports', { cookie: clerk.who.cookie, body })
    const second = await installation.createOperator(tenant.id)
    const created = requested.status === 202 ? (await confirmAs(api, second, requested)).body.result : requested.body
    await until(
      'the export is done',
      async () => (await clerk.get(`/exports/${created.id}`)).body.state === 'done',
      60_000,
    )
    const response = await fetch(`${api.baseUrl}/operator/exports/${created.id}/download`, {
      method: 'POST',
      headers: {
        cookie: `__Host-session=${clerk.who.cookie}`,
        origin: new URL(api.baseUrl).origin,
        'x-console': '1',
        'sec-fetch-site': 'same-origin',
      },
    })
    const text = await response.text()
    const [cell = ''] = text.split(';').filter((part) => part.includes('=cmd'))
    if (cell === '') throw new Error(`the export does not contain the name: ${response.status}`)
    return { isDefended: !cell.startsWith('='), observed: `a spreadsheet that splits at semicolons sees ${cell}` }
  },
}
