import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import type { RunningApi } from '../../../test/harness/installation/running-api.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { testKey } from '../../../test/harness/installation/test-keys.ts'
import { until } from '../../../test/harness/wait.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { disableTenant } from '../tenants/tenant.sql.ts'
import { disableIssuedCredential } from './disable-issued-credential.ts'
import { rotateSecret } from './rotate-secret.ts'

describe('revocation and rotation', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const apis = await Promise.all([installation.startApi(), installation.startApi()])
  const tenantId = await installation.createTenant('A')
  const path = `/offerings/${await new Fixtures(installation).offering(tenantId)}`

  const inTenant = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    inDirectoryTransaction(installation.databases, { tenantId, access: 'write' }, work)
  const api = () => apis[0] as RunningApi
  const statuses = (token: string) =>
    Promise.all(apis.map(async (running) => (await running.call('GET', path, { token })).status))
  const rejectedEverywhere = (token: string) =>
    until(
      'every process rejects the token',
      async () => (await statuses(token)).every((status) => status === 401),
      5_000,
    )

  test('R196: a disabled credential gets no token, and every process rejects its tokens within 5 s', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 6_000 })
    const other = await installation.issueCredential(tenantId)
    const [token, otherToken] = [await api().token(credential), await api().token(other)]
    assert.deepEqual(await statuses(token), [200, 200])
    const outcome = await inTenant((tx) => disableIssuedCredential(tx, { tenantId, clientId: credential.clientId }))
    assert.equal(outcome, 'disabled')
    await rejectedEverywhere(token)
    assertError(await api().call('GET', path, { token }), 401, 'token_revoked')
    assertError(await api().auth(credential), 401, 'invalid_client')
    assert.deepEqual(await statuses(otherToken), [200, 200])
  })

  test('Q093: a disabled tenant is rejected in the same way', async () => {
    const otherId = await installation.createTenant('B')
    const otherPath = `/offerings/${await new Fixtures(installation).offering(otherId)}`
    const credential = await installation.issueCredential(otherId, { requestsPerMinute: 6_000 })
    const token = await api().token(credential)
    assert.equal((await api().call('GET', otherPath, { token })).status, 200)
    await inDirectoryTransaction(installation.databases, { tenantId: otherId, access: 'write' }, (tx) =>
      disableTenant(tx, otherId),
    )
    await until(
      'the token is rejected',
      async () => (await api().call('GET', otherPath, { token })).status === 401,
      5_000,
    )
    assertError(await api().auth(credential), 401, 'invalid_client')
  })

  test('rotation: both secrets work during the overlap, and the next rotation expires the first', async () => {
    const first = await installation.issueCredential(tenantId)
    const key = { tenantId, clientId: first.clientId }
    const rotate = async (overlapSeconds: number) => {
      const issued = await inTenant((tx) =>
        rotateSecret(tx, installation.config.secretPeppers, { ...key, overlapSeconds }),
      )
      if ('rejected' in issued) throw new Error(issued.rejected)
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

  test('rotation without overlap expires the old secret and its tokens; a token issued at once for the new secret works', async () => {
    const old = await installation.issueCredential(tenantId, { requestsPerMinute: 6_000 })
    const oldToken = await api().token(old)
    assert.deepEqual(await statuses(oldToken), [200, 200])
    const renewed = await inTenant((tx) =>
      rotateSecret(tx, installation.config.secretPeppers, { tenantId, clientId: old.clientId, overlapSeconds: 0 }),
    )
    if ('rejected' in renewed) throw new Error(renewed.rejected)
    assert.equal((await api().auth(old)).status, 401)
    const newToken = await api().token(renewed)
    await rejectedEverywhere(oldToken)
    assert.deepEqual(await statuses(newToken), [200, 200])
  })

  test('an expired secret is a wrong secret', async () => {
    const credential = await installation.issueCredential(tenantId)
    await installation.rows(`update directory.credential_secret set expires_at = now() where credential_id = $1`, [
      credential.clientId,
    ])
    assertError(await api().auth(credential), 401, 'invalid_client')
  })

  test('a raised rate limit takes effect within 5 s', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await api().token(credential)
    const policy = async () => (await api().call('GET', path, { token })).headers.get('ratelimit-policy')
    assert.equal(await policy(), '"credential";q=30;w=60')
    await installation.rows('update directory.credential set requests_per_minute = 500 where id = $1', [
      credential.clientId,
    ])
    await until('the new limit applies', async () => (await policy()) === '"credential";q=500;w=60', 5_000)
  })

  test('the database stores only the HMAC of a secret, which does not match with another pepper', async () => {
    const credential = await installation.issueCredential(tenantId)
    const rows = await installation.rows<{ row: string }>(
      'select credential_secret::text as row from directory.credential_secret where credential_id = $1',
      [credential.clientId],
    )
    assert.equal(rows.length, 1)
    assert.doesNotMatch(rows[0]?.row ?? '', new RegExp(credential.clientSecret))
    const otherPepper = testKey('test', 'another pepper')
    const otherApi = await installation.startApi({ SECRET_PEPPERS: otherPepper })
    assertError(await otherApi.auth(credential), 401, 'invalid_client')
  })
})
