import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../test/harness/callers/operations.ts'
import { Fixtures } from '../../test/harness/data/fixtures.ts'
import { TestInstallation } from '../../test/harness/installation/test-installation.ts'
import { createLargeRegister, registerAt } from '../../test/harness/load/large-register.ts'
import { assertDistributionsAddUp } from '../../test/harness/money/distribution-check.ts'
import { newDistribution } from '../../test/harness/money/distribution-world.ts'
import { testSize } from '../../test/harness/test-size.ts'
import { calculateDistribution } from './calculate-distribution.job.ts'
import { approveDistribution } from './operator/approve-distribution.ts'
import { createDistribution } from './operator/create-distribution.ts'
import { getDistribution } from './operator/get-distribution.ts'
import { payDistribution } from './operator/pay-distribution.ts'
import { requestCalculation } from './operator/request-calculation.ts'
import { writeDistributionFiles } from './write-distribution-files.job.ts'

const holders = testSize({ short: 6_000, long: 100_000 })
const secondsMax = 60
const heapGrowthMax = 64 * 1024 * 1024

describe(`a distribution to ${holders} holders`, async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const tenantId = await installation.createTenant('Large')
  const direct = new DirectOperations(installation, tenantId)
  const offeringId = await new Fixtures(installation).offering(tenantId, { blockchain: 'anvil' })
  await createLargeRegister(installation, { tenantId, offeringId, holders, accounts: 200 })
  const body = { ...newDistribution, rate_per_token: '1/3', record_at: registerAt }
  const { id: distributionId } = await direct.run(createDistribution, { params: { offeringId }, body })

  const read = () => direct.run(getDistribution, { params: { distributionId } })

  /** Runs a job, which works in slices, until it has nothing left. Returns seconds and the growth of the heap. */
  async function measured(work: () => Promise<void>, isDone: () => Promise<boolean>) {
    const atFirst = process.memoryUsage().heapUsed
    const startedAt = performance.now()
    let highest = atFirst
    do {
      await work()
      highest = Math.max(highest, process.memoryUsage().heapUsed)
    } while (!(await isDone()))
    return { seconds: (performance.now() - startedAt) / 1000, growth: highest - atFirst }
  }

  const payload = { tenant_id: tenantId, distribution_id: distributionId }

  test(`is calculated within ${secondsMax} s with flat memory, and adds up`, async (t) => {
    await direct.run(requestCalculation, { params: { distributionId } })
    const { seconds, growth } = await measured(
      () => calculateDistribution.run(payload, direct.jobContext),
      async () => (await read()).status !== 'CALCULATING',
    )
    t.diagnostic(`${holders} holders: ${seconds.toFixed(1)} s, heap + ${(growth / 2 ** 20).toFixed(0)} MiB`)
    const calculated = await read()
    assert.deepEqual([calculated.status, calculated.holders], ['CALCULATED', holders])
    await assertDistributionsAddUp(installation, tenantId)
    assert.ok(seconds <= secondsMax, `${seconds} s`)
    assert.ok(growth <= heapGrowthMax, `the heap grew by ${growth} bytes`)
  })

  test('is in one set of files, each entitlement once', async (t) => {
    await direct.run(approveDistribution, { params: { distributionId } })
    await direct.run(payDistribution, { params: { distributionId } })
    const { seconds, growth } = await measured(
      () => writeDistributionFiles.run(payload, direct.jobContext),
      async () => !(await read()).is_filing,
    )
    t.diagnostic(`${holders} transfers: ${seconds.toFixed(1)} s, heap + ${(growth / 2 ** 20).toFixed(0)} MiB`)
    assert.equal((await read()).files, Math.ceil(holders / 1_000))
    const rows = await installation.rows(
      `select count(*)::int as transfers, count(distinct entitlement_id)::int as entitlements,
                (select sum(entitlement_count)::int from cell.account) as shown
         from cell.distribution_transfer`,
    )
    assert.deepEqual(rows, [{ transfers: holders, entitlements: holders, shown: holders }])
    await assertDistributionsAddUp(installation, tenantId)
    assert.ok(growth <= heapGrowthMax, `the heap grew by ${growth} bytes`)
  })
})
