import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import type { TestOperator } from '../../../../test/harness/installation/test-users.ts'

describe('saved views', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.operatorApi()
  const tenantId = await installation.createTenant('Views')
  const mine = await installation.createOperator(tenantId, { duties: ['read'] })
  const other = await installation.createOperator(tenantId, { duties: ['read'] })

  const view = { name: 'Paid', list: 'listOrders', filters: [{ name: 'status', value: 'PAID' }], is_shared: false }
  const listed = async (who: TestOperator, query = '') =>
    (await api.callWith(who.token, 'GET', `/saved-views${query}`)).results

  test('are visible to others once they are shared, and only their owner changes them', async () => {
    const saved = await api.callWith(mine.token, 'POST', '/saved-views', view)
    const { id, user_id, created_at, ...rest } = saved
    assert.deepEqual(rest, view)
    assert.equal(user_id, mine.userId)
    assert.ok(created_at)
    assert.deepEqual(await listed(mine), [saved])
    assert.deepEqual(await listed(mine, '?list=listRefunds'), [])
    assert.deepEqual(await listed(other), [])

    const shared = await api.callWith(mine.token, 'PATCH', `/saved-views/${id}`, { is_shared: true })
    assert.deepEqual(shared, { ...saved, is_shared: true })
    assert.deepEqual(await listed(other, '?list=listOrders'), [shared])
    await assert.rejects(api.callWith(other.token, 'PATCH', `/saved-views/${id}`, { name: 'Mine' }), /404/)
    await assert.rejects(api.callWith(other.token, 'POST', `/saved-views/${id}/delete`), /404/)
    await api.callWith(mine.token, 'POST', `/saved-views/${id}/delete`)
    assert.deepEqual(await listed(mine), [])
  })

  test('409: a user has at most 100', async () => {
    await api.callWith(other.token, 'POST', '/saved-views', view)
    await installation.rows(
      `insert into directory.saved_view (tenant_id, id, user_id, name, list, filters, is_shared)
       select tenant_id, gen_random_uuid(), user_id, name, list, filters, is_shared
       from directory.saved_view, generate_series(1, 98) where user_id = $1`,
      [other.userId],
    )
    await api.callWith(other.token, 'POST', '/saved-views', view)
    await assert.rejects(api.callWith(other.token, 'POST', '/saved-views', view), /409.*saved_view_limit_reached/)
  })
})
