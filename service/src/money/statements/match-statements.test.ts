import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { camt053, importDirectly } from '../../../test/harness/money/camt053.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { matchStatements } from './match-statements.job.ts'

describe('matching the statements of a tenant', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())

  /** A tenant that has imported one file with two statements of two entries each. */
  async function importTwo() {
    const tenantId = await installation.createTenant('T')
    await new Fixtures(installation).offering(tenantId)
    const entries = () => [1, 2].map(() => ({ amount: '1.00', bankReference: crypto.randomUUID() }))
    const statements = ['S1', 'S2'].map((id) => ({ id, entries: entries() }))
    const imported = await importDirectly(installation, tenantId, camt053({ statements }))
    const { jobContext } = new DirectOperations(installation, tenantId)
    const match = () => matchStatements.run({ tenant_id: tenantId }, jobContext)
    return { tenantId, statementIds: pluck(imported.statements, 'id'), match }
  }
  const count = async (query: string, value: unknown): Promise<number> => {
    const rows = await installation.rows<{ count: number }>(query, [value])
    return rows[0]?.count ?? -1
  }
  const pendingIn = (statementId: string | undefined) =>
    count(`select count(*)::int from cell.bank_entry where statement_id = $1 and state = 'pending'`, statementId)
  const jobsOf = (tenantId: string) =>
    count(`select count(*)::int from graphile_worker._private_jobs where payload ->> 'tenant_id' = $1`, tenantId)

  test('a file with two statements causes one job, which matches both', async () => {
    const { tenantId, statementIds, match } = await importTwo()
    assert.equal(await jobsOf(tenantId), 1)
    await match()
    assert.deepEqual(await Promise.all(statementIds.map(pendingIn)), [0, 0])
  })

  test('a statement that cannot be matched fails the job and does not stop the other one', async () => {
    const { statementIds, match } = await importTwo()
    const [broken, other] = statementIds
    await installation.rows(String.raw`update cell.bank_entry set details = '\x00' where statement_id = $1`, [broken])
    await assert.rejects(match())
    assert.deepEqual([await pendingIn(broken), await pendingIn(other)], [2, 0])
  })

  test('a job whose tenant is being matched elsewhere does not wait: it is enqueued again', async () => {
    const { tenantId, statementIds, match } = await importTwo()
    await installation.owner(async (client) => {
      await client.query('delete from graphile_worker._private_jobs')
      await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`statement matching ${tenantId}`])
      await match()
    })
    assert.equal(await jobsOf(tenantId), 1)
    assert.deepEqual(await Promise.all(statementIds.map(pendingIn)), [2, 2])
    await match()
    assert.deepEqual(await Promise.all(statementIds.map(pendingIn)), [0, 0])
  })
})
