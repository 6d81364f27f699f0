import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { until } from '../../../test/harness/wait.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createOrder } from './create-order.ts'

/** All transactions lock an offering before accounts. Two with different orders would deadlock. */
describe('the order of locks', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())

  test('an order that waits for its offering does not keep its account locked', async () => {
    const tenantId = await installation.createTenant('Locks')
    const direct = new DirectOperations(installation, tenantId)
    const offeringId = await new Fixtures(installation).offering(tenantId)
    const account = await direct.run(createAccount, { body: individual })
    const body = { account_id: account.id, units: '100000000' }
    await installation.owner(async (client) => {
      // Acts like the indexer, which marks an order as minted and then adds to the balances of its account.
      await client.query('begin')
      await client.query('update cell.offering set issued_units = issued_units where id = $1', [offeringId])
      const created = direct.run(createOrder, { params: { offeringId }, body })
      await until('the order waits', async () => {
        const { rows } = await client.query(
          'select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))',
        )
        return rows.length > 0
      })
      await client.query('select from cell.account where id = $1 for no key update nowait', [account.id])
      await client.query('commit')
      assert.equal((await created).status, 'ORDERED')
    })
  })
})
