import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../test/harness/api-client.ts'
import { Fixtures } from '../../../test/harness/fixtures.ts'
import { type RunningApi, TestInstallation } from '../../../test/harness/service.ts'
import { until } from '../../../test/harness/wait.ts'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { disableTenant } from '../tenants/tenant.sql.ts'
import { rotateSecret } from './rotate-secret.ts'
import { switchOffCredential } from './switch-off-credential.ts'

describe('revocation and rotation', () => {
  let installation: TestInstallation
  let apis: RunningApi[]
  let tenantId: string
  let path: string

  before(async () => {
    installation = await TestInstallation.create()
    apis = await Promise.all([installation.startApi(), installation.startApi()])
    tenantId = await installation.createTenant('A')
    path = `/offerings/${await new Fixtures(installation).offering(tenantId)}`
  })
  after(() => installation.end())

  const inTenant = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    inDirectoryTransaction(installation.databases, { tenantId, access: 'write' }, work)
  const api = () => apis[0] as RunningApi
  const statuses = (token: string) =>
    Promise.all(apis.map(async (one) => (await one.call('GET', path, { token })).status))
  const refusedEverywhere = (token: string) =>
    until(
      'every process refuses the token',
      async () => (await statuses(token)).every((status) => status === 401),
      5_000,
    )

  test('R196: a disabled credential gets no token, and those it has are refused by every process within 5 s', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 6_000 })
    const neighbour = await installation.issueCredential(tenantId)
    const [token, neighbourToken] = [await api().token(credential), await api().token(neighbour)]
    assert.deepEqual(await statuses(token), [200, 200])
    assert.equal(
      await inTenant((tx) => switchOffCredential(tx, { tenantId, clientId: credential.clientId })),
      'disabled',
    )
    await refusedEverywhere(token)
    assertError(await api().call('GET', path, { token }), 401, 'token_revoked')
    assertError(await api().auth(credential), 401, 'invalid_client')
    assert.deepEqual(await statuses(neighbourToken), [200, 200])
  })

  test('Q093: a disabled tenant is refused in the same way', async () => {
    const otherId = await installation.createTenant('B')
    const otherPath = `/offerings/${await new Fixtures(installation).offering(otherId)}`
    const credential = await installation.issueCredential(otherId, { requestsPerMinute: 6_000 })
    const token = await api().token(credential)
    assert.equal((await api().call('GET', otherPath, { token })).status, 200)
    await inDirectoryTransaction(installation.databases, { tenantId: otherId, access: 'write' }, (tx) =>
      disableTenant(tx, otherId),
    )
    await until(
      'the token is refused',
      async () => (await api().call('GET', otherPath, { token })).status === 401,
      5_000,
    )
    assertError(await api().auth(credential), 401, 'invalid_client')
  })

  test('rotation: both secrets work during the overlap, a third rotation ends the first', async () => {
    const first = await installation.issueCredential(tenantId)
    const key = { tenantId, clientId: first.clientId }
    const rotate = async (overlapSeconds: number) => {
      const issued = await inTenant((tx) =>
        rotateSecret(tx, installation.config.secretPeppers, { ...key, overlapSeconds }),
      )
      if ('refused' in issued) throw new Error(issued.refused)
      return issued
    }
    const second = await rotate(3600)
    assert.equal((await api().auth(first)).status, 200)
    assert.equal((await api().auth(second)).status, 200)
    const third = await rotate(3600)
    assert.equal((await api().auth(first)).status, 401)
    assert.equal((await api().auth(second)).status, 200)
    assert.equal((await api().auth(third)).status, 200)
  })

  test('rotation without overlap ends the old secret and its tokens; a token got at once with the new one works', async () => {
    const old = await installation.issueCredential(tenantId, { requestsPerMinute: 6_000 })
    const oldToken = await api().token(old)
    assert.deepEqual(await statuses(oldToken), [200, 200])
    const renewed = await inTenant((tx) =>
      rotateSecret(tx, installation.config.secretPeppers, { tenantId, clientId: old.clientId, overlapSeconds: 0 }),
    )
    if ('refused' in renewed) throw new Error(renewed.refused)
    assert.equal((await api().auth(old)).status, 401)
    const newToken = await api().token(renewed)
    await refusedEverywhere(oldToken)
    assert.deepEqual(await statuses(newToken), [200, 200])
  })

  test('a secret that has expired is a wrong secret', async () => {
    const credential = await installation.issueCredential(tenantId)
    await installation.owner((client) =>
      client.query(`update directory.credential_secret set expires_at = now() where credential_id = $1`, [
        credential.clientId,
      ]),
    )
    assertError(await api().auth(credential), 401, 'invalid_client')
  })

  test('a raised limit is used within 5 s', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await api().token(credential)
    const policy = async () => (await api().call('GET', path, { token })).headers.get('ratelimit-policy')
    assert.equal(await policy(), '"credential";q=30;w=60')
    await installation.owner((client) =>
      client.query('update directory.credential set requests_per_minute = 500 where id = $1', [credential.clientId]),
    )
    await until('the new limit is in force', async () => (await policy()) === '"credential";q=500;w=60', 5_000)
  })

  test('no secret is stored: the database holds 32 bytes of HMAC, and another pepper does not fit', async () => {
    const credential = await installation.issueCredential(tenantId)
    const { rows } = await installation.owner((client) =>
      client.query<{ row: string }>(
        'select credential_secret::text as row from directory.credential_secret where credential_id = $1',
        [credential.clientId],
      ),
    )
    assert.equal(rows.length, 1)
    assert.doesNotMatch(rows[0]?.row ?? '', new RegExp(credential.clientSecret))
    const otherPepper = `development:${Buffer.from('development, but another pepper of 32 bytes').toString('base64url')}`
    const elsewhere = await installation.startApi({ SECRET_PEPPERS: otherPepper })
    assertError(await elsewhere.auth(credential), 401, 'invalid_client')
  })
})
