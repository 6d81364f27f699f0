import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type pg from 'pg'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { type ApiResponse, assertError } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { until, waitingForLocks } from '../../../../test/harness/wait.ts'
import { heavyRequestsMax } from './heavy-requests.sql.ts'

describe('heavy requests', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const viewer = async (name: string) =>
    OperatorClient.create(installation, api, await installation.createTenant(name), 'viewer')
  const [mine, theirs] = [await viewer('Mine'), await viewer('Theirs')]

  const verify = (client: OperatorClient) => client.post('/audit/verify', {})
  const lock = (client: pg.Client, name: string) =>
    client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])

  function assertRejected(response: ApiResponse, reason: RegExp): void {
    assertError(response, 429, 'heavy_request_running')
    assert.match(response.body.error.message, reason)
    assert.equal(response.headers.get('retry-after'), '1')
  }

  test('of one tenant run one at a time: the next one is rejected at once, without a connection', async () => {
    await installation.owner(async (client) => {
      await client.query('begin')
      await client.query('lock base.audit_log in access exclusive mode')
      const first = verify(mine)
      await until('the first one waits', async () => (await waitingForLocks(installation)) === 1)
      assertRejected(await verify(mine), /of your tenant/)
      assertRejected(await mine.post('/directory-audit/verify', {}), /of your tenant/)
      assert.equal((await mine.get('/offerings')).status, 200)
      await client.query('rollback')
      assert.equal((await first).status, 200)
    })
    assert.equal((await verify(mine)).status, 200)
  })

  test('of one tenant run one at a time in all processes together', async () => {
    await installation.owner(async (client) => {
      await lock(client, `heavy request of ${mine.who.tenantId}`)
      assertRejected(await verify(mine), /of your tenant/)
      assert.equal((await verify(theirs)).status, 200)
    })
    assert.equal((await verify(mine)).status, 200)
  })

  test(`of many tenants run ${heavyRequestsMax} at a time in a database`, async () => {
    await installation.owner(async (client) => {
      for (let slot = 0; slot < heavyRequestsMax; slot += 1) {
        assert.equal((await verify(mine)).status, 200)
        await lock(client, `heavy request slot ${slot}`)
      }
      assertRejected(await verify(mine), /The database runs 3 such requests/)
      assertRejected(await verify(theirs), /The database runs 3 such requests/)
      assert.equal((await theirs.get('/offerings')).status, 200)
    })
    assert.equal((await verify(mine)).status, 200)
  })
})
