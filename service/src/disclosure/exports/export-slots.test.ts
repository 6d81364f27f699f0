import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ExportRows } from '../../../test/harness/data/export-rows.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { type ApiResponse, assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import type { TestOperator } from '../../../test/harness/installation/test-users.ts'

describe('the exports of a tenant', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const tenantId = await installation.createTenant('A')
  await new Fixtures(installation).offering(tenantId)
  const api = await installation.startOperatorApi()
  const me = await installation.createOperator(tenantId)
  const rows = new ExportRows(installation, tenantId)

  const post = (path: string, body?: unknown, who = me) => api.call('POST', path, { token: who.token, body })
  const write = () => rows.write()

  test('a user may run four exports at once and a tenant ten; one that ends frees its slot', async () => {
    await rows.expireAll()
    const viewers = await Promise.all([1, 2, 3].map(() => installation.createOperator(tenantId, { role: 'viewer' })))
    const orders = (viewer: TestOperator | undefined) => post('/exports', { kind: 'orders' }, viewer)
    const created: ApiResponse[] = []
    for (const viewer of viewers.slice(0, 2)) {
      for (let count = 0; count < 4; count += 1) created.push(await orders(viewer))
      assertError(await orders(viewer), 409, 'too_many_exports')
    }
    created.push(await orders(viewers[2]), await orders(viewers[2]))
    assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]))
    assertError(await orders(viewers[2]), 409, 'too_many_exports')
    assert.equal((await post(`/exports/${created[0]?.body.id}/cancel`, undefined, viewers[0])).status, 200)
    assert.equal((await orders(viewers[2])).status, 201)
    await write()
    for (const viewer of viewers) assert.equal((await orders(viewer)).status, 201)
    await write()
  })

  test('beyond thirty files, the oldest of the user with the most is replaced, never that of another user', async () => {
    await rows.expireAll()
    const viewer = await installation.createOperator(tenantId, { role: 'viewer' })
    const mine = await rows.done()
    const flood: string[] = []
    for (let count = 0; count < 30; count += 1) {
      const { body } = await post('/exports', { kind: 'orders', to: '2000-01-01T00:00:00Z' }, viewer)
      flood.push(body.id)
      await write()
    }
    const stateOf = async (id: string | undefined) =>
      (await api.call('GET', `/exports/${id}`, { token: me.token })).body.state
    assert.deepEqual(
      [await stateOf(mine), await stateOf(flood[0]), await stateOf(flood[1]), await stateOf(flood[29])],
      ['done', 'expired', 'done', 'done'],
    )
  })
})
