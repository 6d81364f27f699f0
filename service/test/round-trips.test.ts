import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { TenantContext, TenantOperation } from '../src/platform/api/declare/operation.ts'
import { once } from '../src/platform/api/pipeline/idempotency.ts'
import { createAccount } from '../src/sales/accounts/create-account.ts'
import { createOrder } from '../src/sales/orders/create-order.ts'
import { getOrder } from '../src/sales/orders/get-order.ts'
import { listOfferingOrders } from '../src/sales/orders/list-offering-orders.ts'
import { individual } from './harness/data/bodies.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { countRoundTrips, runOperation } from './harness/load/recorded-statements.ts'

/** Each additional round trip makes requests slower, and locks longer. */
describe('round trips to the database', async () => {
  let accountId: string

  const installation = await TestInstallation.create()
  after(() => installation.end())
  const tenantId = await installation.createTenant('A')
  const offeringId = await new Fixtures(installation).offering(tenantId)
  await countRoundTrips(installation, { tenantId, access: 'write' }, async (context) => {
    accountId = ((await runOperation(createAccount, { body: individual }, context)) as { id: string }).id
  })

  const write = (work: (context: TenantContext) => Promise<unknown>) =>
    countRoundTrips(installation, { tenantId, access: 'write' }, work)

  const keyed = (operation: TenantOperation, input: { params?: object; body: unknown }) =>
    write(({ tx, vault, ...context }) => {
      const request = { tenantId, clientId: tenantId, method: 'POST', canonicalPath: '/', key: crypto.randomUUID() }
      return once(tx, vault, { ...request, body: input.body }, async () => {
        const result = await runOperation(operation, input as never, { tx, vault, ...context })
        return { status: 201, text: JSON.stringify(result) }
      })
    })

  const newOrder = () => ({ params: { offeringId }, body: { account_id: accountId, units: '1' } })

  test('create an account with a key: the key, then everything with the commit', async () => {
    assert.equal(await keyed(createAccount, { body: individual }), 2)
  })

  test('order without a key: the facts of offering and account, then everything with the commit', async () => {
    assert.equal(await write((context) => runOperation(createOrder, newOrder() as never, context)), 2)
  })

  test('order with a key: one more for the key', async () => {
    assert.equal(await keyed(createOrder, newOrder()), 3)
  })

  test('read an order or a page: one', async () => {
    const reads = [
      [getOrder, { params: { offeringId, orderId: crypto.randomUUID() } }],
      [listOfferingOrders, { params: { offeringId }, query: { limit: 50, offset: 0 } }],
    ] as const
    for (const [operation, input] of reads) {
      const work = (context: TenantContext) => runOperation(operation, input, context).catch(() => undefined)
      assert.equal(await countRoundTrips(installation, { tenantId, access: 'read' }, work), 1)
    }
  })
})
