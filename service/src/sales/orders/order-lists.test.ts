import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { individual } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import type { RunningApi } from '../../../test/harness/installation/running-api.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'

/** Lists write rows as bytes, while a single order is viewed and serialized: both must be the same JSON. */
describe('lists of orders', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const names = [
    'Ada',
    'Zoë "Z" O\\Neil',
    'tab\tnew\nline',
    '\u0001\u001f\u007f',
    '漢字 😀',
    '</script>\u2028',
    'é'.repeat(99),
  ]
  const changes = [
    `total_amount = 123456789012.50, paid_amount = 0.10`,
    `paid_at = '2026-07-02 10:00:00.123456+00', paid_amount = 100, status = 'PAID', payment_provider = 'stripe'`,
    `paid_at = '2026-07-02 10:00:00+05:30', total_amount = 100.00`,
    `paid_at = '0999-12-31 23:59:59.9+00', total_amount = 0`,
    `paid_at = '2024-02-29 00:00:00.001999+00', currency = 'JPY', total_amount = 7`,
    `units = 115792089237316195423570985008687907853269984665640564039457584007913129639935`,
    `payment_provider = null`,
  ]
  const apis = [await installation.startApi({ READ_LANES: '2' }), await installation.startApi({ READ_LANES: '0' })]
  const tenant = await TestTenant.create(installation, apis[0] as RunningApi)
  const offeringId = await tenant.fixtures.offering(tenant.id)
  /** Newest first. */
  const orderIds: string[] = []
  let accountId = ''
  for (const [index, lastName] of names.entries()) {
    const account = { ...individual, individual: { ...individual.individual, lastName } }
    accountId = await tenant.account(account)
    const id = await tenant.order(offeringId, accountId)
    await installation.rows(`update cell.token_order set ${changes[index]} where id = $1`, [id])
    orderIds.unshift(id)
  }

  /** Reads single orders, reduced to the members that a list has. */
  async function single(parent: 'offering' | 'account', ids: readonly string[]): Promise<unknown[]> {
    return Promise.all(
      ids.map(async (id) => {
        const { body } = await tenant.get(`/offerings/${offeringId}/orders/${id}`)
        const { payment_bank_account: _account, created_at: _created, [parent]: _parent, ...listed } = body
        return listed
      }),
    )
  }

  for (const direction of ['asc', 'desc'])
    test(`orders in a list of an offering equal single orders byte for byte, ${direction}, with and without lanes`, async () => {
      const ids = direction === 'asc' ? orderIds.toReversed() : orderIds
      const results = await single('offering', ids)
      for (const api of [...apis, ...apis, ...apis]) {
        const path = `/offerings/${offeringId}/orders?limit=50&direction=${direction}`
        const { text, body } = await api.call('GET', path, { token: tenant.token })
        assert.equal(text, JSON.stringify({ pagination: body.pagination, offering: body.offering, results }))
        assert.equal(body.pagination.count, names.length)
      }
    })

  test('orders in a list of an account equal single orders byte for byte, with and without lanes', async () => {
    const results = await single('account', orderIds.slice(0, 1))
    for (const api of [...apis, ...apis, ...apis]) {
      const { text, body } = await api.call('GET', `/accounts/${accountId}/orders`, { token: tenant.token })
      assert.equal(text, JSON.stringify({ pagination: body.pagination, account: body.account, results }))
    }
  })

  test('HEAD has the length of the list in bytes and no body', async () => {
    const path = `/offerings/${offeringId}/orders`
    const list = await tenant.get(path)
    const head = await fetch(`${apis[0]?.baseUrl}/api${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${tenant.token}` },
    })
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(list.text)))
    assert.deepEqual([head.status, await head.text()], [200, ''])
    assert.equal(head.headers.get('content-type'), list.headers.get('content-type'))
  })
})
