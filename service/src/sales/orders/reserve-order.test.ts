import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'

/** The statement that inserts an order detects changes since the order read its offering and its account. */
describe('an order that waits for the lock of its offering', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const tenant = await TestTenant.create(installation, await installation.startApi())
  const accountId = await tenant.account()

  /** Sends an order after the statement, which locks the offering, and before its commit. Returns the response. */
  const orderDuring = (offering: string, statement: string, account = accountId) =>
    installation.owner(async (client) => {
      await client.query('begin')
      await client.query('select from cell.offering where id = $1 for update', [offering])
      await client.query(statement)
      const waiting = tenant.post(`/offerings/${offering}/orders`, { account_id: account, units: '1' })
      await until('the order waits for the lock', async () => (await waitingForLocks(installation)) === 1)
      await client.query('commit')
      return waiting
    })

  /** Counts orders of the offering and their events. */
  const leftOf = async (offering: string) => {
    const rows = await installation.rows(
      `select from cell.token_order where offering_id = $1 union all
         select from cell.event_outbox where offering_id = $1 and type = 'order.created'`,
      [offering],
    )
    return rows.length
  }

  test('Q051: is rejected as not open, not as sold out, if the offering closes', async () => {
    const offering = await tenant.fixtures.offering(tenant.id)
    const response = await orderDuring(offering, `update cell.offering set status = 'CLOSED' where id = '${offering}'`)
    assertError(response, 409, 'offering_not_open')
    assert.equal(await leftOf(offering), 0)
  })

  test('Q051: is rejected as sold out if others take the last units', async () => {
    const offering = await tenant.fixtures.offering(tenant.id, { total_units: '100' })
    const sellOut = `update cell.offering set reserved_units = total_units where id = '${offering}'`
    assertError(await orderDuring(offering, sellOut), 409, 'offering_sold_out')
    assert.equal(await leftOf(offering), 0)
  })

  test('is rejected if its account is erased', async () => {
    const offering = await tenant.fixtures.offering(tenant.id)
    const erasedId = await tenant.account()
    const erase = `update cell.account set erased_at = now() where id = '${erasedId}'`
    assertInvalid(await orderDuring(offering, erase, erasedId), '/account_id')
    assert.equal(await leftOf(offering), 0)
  })

  test('is inserted if nothing has changed', async () => {
    const offering = await tenant.fixtures.offering(tenant.id)
    assert.equal((await orderDuring(offering, 'select 1')).status, 201)
    assert.equal(await leftOf(offering), 2)
  })
})
