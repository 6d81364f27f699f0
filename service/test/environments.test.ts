import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { formatKey } from '../src/platform/base/key-ring.ts'
import { asOwner } from './harness/database.ts'
import { createProvider, stripeHeaders, stripeSecret } from './harness/payment-provider.ts'
import { TestInstallation } from './harness/service.ts'
import { until } from './harness/wait.ts'

const settings = {
  TOKEN_SIGNING_KEYS: formatKey({ id: 'a', secret: Buffer.from('a signing key that only this test uses...') }),
  SECRET_PEPPERS: formatKey({ id: 'a', secret: Buffer.from('a pepper that only this test uses.......') }),
  DATA_MASTER_KEYS: formatKey({ id: 'a', secret: Buffer.from('a master key that only this test uses...') }),
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'a@b.example',
}

describe('environments', () => {
  let installation: TestInstallation
  let plainUrl: string
  let login: string

  before(async () => {
    installation = await TestInstallation.create(settings)
    // Outside development the login must be unprivileged: a member of the roles that owns and bypasses nothing.
    const url = new URL(installation.config.databaseUrl)
    login = `login_${url.pathname.slice(1)}`
    await installation.owner((client) =>
      client.query(
        `create role ${login} login password 'plain'; grant investor_token_app, investor_token_worker to ${login}`,
      ),
    )
    url.username = login
    url.password = 'plain'
    plainUrl = url.href
  })
  after(async () => {
    const { databaseUrl } = installation.config
    await installation.end()
    const server = new URL(databaseUrl)
    server.pathname = '/postgres'
    await asOwner(server.href, (client) => client.query(`drop role ${login}`))
  })

  const send = async (baseUrl: string, path: string, init: RequestInit) => {
    const response = await fetch(baseUrl + path, init)
    // biome-ignore lint/suspicious/noExplicitAny: a test inspects any response
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }

  for (const ENVIRONMENT of ['staging', 'live'])
    test(`R251, Q130: ${ENVIRONMENT} has no beta version (auth: 400, tokens: 401) and no simulations`, async () => {
      const tenantId = await installation.createTenant('A')
      const credential = await installation.issueCredential(tenantId)
      const development = await installation.startApi()
      const token = await development.token(credential)
      const api = await installation.startApi({ ENVIRONMENT, DATABASE_URL: plainUrl, DRAIN_SECONDS: '0' })
      const body = { client_id: credential.clientId, client_secret: credential.clientSecret, scopes: ['order.read'] }
      for (const change of [{}, { api_version: '2026-07-02' }]) {
        const response = await send(api.baseUrl, '/api/auth', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, ...change }),
        })
        assert.equal(response.status, 400)
        assert.equal(response.body.error.code, 'validation_failed')
        assert.equal(response.body.error.errors[0].pointer, '/api_version')
        assert.equal(response.headers.get('st-api-version'), null)
        assert.equal(response.headers.get('st-api-version-beta'), null)
      }
      const call = await send(api.baseUrl, `/api/offerings/${crypto.randomUUID()}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(call.status, 401)
      const simulation = await send(api.baseUrl, '/api/simulations/transfers', { method: 'POST' })
      assert.equal(simulation.body.error.code, 'route_not_found')
      assert.equal((await api.health()).status, 'ready')
    })

  for (const [ENVIRONMENT, livemode] of [
    ['development', false],
    ['staging', false],
    ['live', true],
  ] as const)
    test(`${ENVIRONMENT} accepts payments from Stripe only with livemode ${livemode}, and logs others`, async () => {
      const tenantId = await installation.createTenant('A')
      const { id, secret } = await createProvider(installation, tenantId, { kind: 'stripe', secret: stripeSecret })
      const api = await installation.startApi({ ENVIRONMENT, DATABASE_URL: plainUrl, DRAIN_SECONDS: '0' })
      const notify = (mode: boolean) => {
        const object = { id: `pi_${mode}`, amount_received: 100, currency: 'eur' }
        const event = { type: 'payment_intent.succeeded', livemode: mode, created: 1_782_986_400, data: { object } }
        const body = JSON.stringify(event)
        const headers = { 'content-type': 'application/json', ...stripeHeaders(body, secret) }
        return send(api.baseUrl, `/api/payment-notifications/${id}`, { method: 'POST', headers, body })
      }
      assert.equal((await notify(livemode)).status, 200)
      const rejected = await notify(!livemode)
      assert.deepEqual([rejected.status, rejected.body.error.code], [400, 'payment_mode_mismatch'])
      assert.match(rejected.body.error.message, new RegExp(`livemode must be ${livemode}`))
      const { rows } = await installation.owner((client) =>
        client.query('select provider_reference from cell.unassigned_payment where tenant_id = $1', [tenantId]),
      )
      assert.deepEqual(rows, [{ provider_reference: `pi_${livemode}` }])
      await until('it is logged', () => api.process.output.join().includes('"code":"payment_mode_mismatch"'))
    })

  test('outside development, a process with a privileged database login is not ready', async () => {
    const api = await installation.startApi({ ENVIRONMENT: 'live', DRAIN_SECONDS: '0' })
    assert.equal((await api.health()).httpStatus, 503)
  })
})
