import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { formatKey } from '../src/platform/base/key-ring.ts'
import { asOwner } from './harness/database.ts'
import { TestInstallation } from './harness/service.ts'

const settings = {
  TOKEN_SIGNING_KEYS: formatKey({ id: 'a', secret: Buffer.from('a signing key that this test has made up') }),
  SECRET_PEPPERS: formatKey({ id: 'a', secret: Buffer.from('a pepper that this test has made up, too') }),
  DATA_MASTER_KEYS: formatKey({ id: 'a', secret: Buffer.from('a master key that this test has made up') }),
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'a@b.example',
}

describe('environments', () => {
  let installation: TestInstallation
  let plainUrl: string
  let login: string

  before(async () => {
    installation = await TestInstallation.create(settings)
    // Outside development a login must be plain: it has the role, owns nothing and bypasses nothing.
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

  const ask = async (baseUrl: string, path: string, init: RequestInit) => {
    const response = await fetch(baseUrl + path, init)
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }

  for (const ENVIRONMENT of ['staging', 'live'])
    test(`R251, Q130: ${ENVIRONMENT} serves no beta version: POST /auth is 400, a token 401, and no version header; there are no simulations`, async () => {
      const tenantId = await installation.createTenant('A')
      const credential = await installation.issueCredential(tenantId)
      const development = await installation.startApi()
      const token = await development.token(credential)
      const api = await installation.startApi({ ENVIRONMENT, DATABASE_URL: plainUrl, DRAIN_SECONDS: '0' })
      const body = { client_id: credential.clientId, client_secret: credential.clientSecret, scopes: ['order.read'] }
      for (const change of [{}, { api_version: '2026-07-02' }]) {
        const answer = await ask(api.baseUrl, '/api/auth', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, ...change }),
        })
        assert.equal(answer.status, 400)
        assert.equal(answer.body.error.code, 'validation_failed')
        assert.equal(answer.body.error.errors[0].pointer, '/api_version')
        assert.equal(answer.headers.get('st-api-version'), null)
        assert.equal(answer.headers.get('st-api-version-beta'), null)
      }
      const call = await ask(api.baseUrl, `/api/offerings/${crypto.randomUUID()}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(call.status, 401)
      const simulation = await ask(api.baseUrl, '/api/simulations/clock', { method: 'POST' })
      assert.equal(simulation.body.error.code, 'route_not_found')
      assert.equal((await api.health()).status, 'ready')
    })

  test('outside development a database login that could leave its role serves nobody', async () => {
    const api = await installation.startApi({ ENVIRONMENT: 'live', DRAIN_SECONDS: '0' })
    assert.equal((await api.health()).httpStatus, 503)
  })
})
