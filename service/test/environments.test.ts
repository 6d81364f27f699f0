import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { formatKey } from '../src/platform/base/key-ring.ts'
import { assertError } from './harness/api-client.ts'
import { asOwner } from './harness/database.ts'
import { TestInstallation } from './harness/service.ts'

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
    test(`R251, Q130: ${ENVIRONMENT} serves no version by default (auth: 400, tokens: 401) and has no simulations`, async () => {
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
      const { status, versions } = await api.health()
      assert.deepEqual([status, versions], ['ready', []])
      const { level } = await api.process.logged(
        'no contract version is served, so no token can be issued: release one with RELEASED_VERSIONS',
      )
      assert.equal(level, 'warn')
    })

  test('Q130: a version that an installation releases is served in live, still as beta and without simulations', async () => {
    const credential = await installation.issueCredential(await installation.createTenant('A'))
    const api = await installation.startApi({
      ENVIRONMENT: 'live',
      DATABASE_URL: plainUrl,
      DRAIN_SECONDS: '0',
      RELEASED_VERSIONS: '2026-07-02',
    })
    // Each call asserts the version headers too.
    const token = await api.token(credential)
    assert.equal((await api.call('GET', '/offerings', { token })).status, 200)
    assertError(await api.call('POST', '/simulations/transfers', { token, body: {} }), 404, 'route_not_found')
    const { status, versions } = await api.health()
    assert.deepEqual([status, versions], ['ready', ['2026-07-02']])
    assert.ok(api.process.output.every((line) => !line.includes('RELEASED_VERSIONS')))
  })

  test('outside development, a process with a privileged database login is not ready', async () => {
    const api = await installation.startApi({ ENVIRONMENT: 'live', DRAIN_SECONDS: '0' })
    assert.equal((await api.health()).httpStatus, 503)
  })
})
