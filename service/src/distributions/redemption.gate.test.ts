import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type CamtEntry, camt053, importDirectly } from '../../test/harness/money/camt053.ts'
import { assertDistributionsAddUp } from '../../test/harness/money/distribution-check.ts'
import { newDistribution } from '../../test/harness/money/distribution-world.ts'
import { readRefundFile } from '../../test/harness/money/refund-file.ts'
import { SettledWorld } from '../../test/harness/tokens/settled-world.ts'
import { matchStatements } from '../money/statements/match-statements.job.ts'
import { burnRedeemed } from './burn-redeemed.job.ts'
import { calculateDistribution } from './calculate-distribution.job.ts'
import { approveDistribution } from './operator/approve-distribution.ts'
import { closeDistribution } from './operator/close-distribution.ts'
import { createDistribution } from './operator/create-distribution.ts'
import { downloadDistributionFile } from './operator/download-distribution-file.ts'
import { getDistribution } from './operator/get-distribution.ts'
import { listDistributionFiles } from './operator/list-distribution-files.ts'
import { payDistribution } from './operator/pay-distribution.ts'
import { requestCalculation } from './operator/request-calculation.ts'
import { writeDistributionFiles } from './write-distribution-files.job.ts'

const token = 100_000_000n

describe('a redemption on a chain', async () => {
  const settled = await SettledWorld.create()
  after(() => settled.end())
  await settled.minted(3)
  const { tenantId, direct } = settled.world
  let distributionId: string
  let transfers: { amount: string; endToEndId: string }[]

  const run = (operation: Parameters<typeof direct.run>[0], params: object, body?: unknown) =>
    direct.run(operation, { params, ...(body === undefined ? {} : { body }) } as never)
  const payload = () => ({ tenant_id: tenantId, distribution_id: distributionId })
  const burns = () =>
    settled.world.rows<{ state: string }>(`select state from cell.chain_op where kind = 'BURN' order by state`)
  const bank = async (entries: CamtEntry[]) => {
    await importDirectly(settled.installation, tenantId, camt053({ entries, id: crypto.randomUUID() }))
    await matchStatements.run({ tenant_id: tenantId }, direct.jobContext)
    await assertDistributionsAddUp(settled.installation, tenantId)
  }

  test('burns nothing before the bank has debited a payment', async () => {
    const { offeringId } = settled.world
    const [block] = await settled.world.rows<{ at: Date }>(
      `select timestamp as at from cell.chain_block join cell.chain_cursor on chain_block.chain = chain_cursor.chain
       and number = finalized_number`,
    )
    const body = { ...newDistribution, kind: 'REDEMPTION', rate_per_token: '12.50', record_at: block?.at.toISOString() }
    distributionId = (await run(createDistribution, { offeringId }, body)).id
    await run(requestCalculation, { distributionId })
    await calculateDistribution.run(payload(), direct.jobContext)
    await run(approveDistribution, { distributionId })
    await run(payDistribution, { distributionId })
    await writeDistributionFiles.run(payload(), direct.jobContext)
    await burnRedeemed.run(payload(), direct.jobContext)
    assert.deepEqual(await burns(), [])
    const page = { limit: 10, direction: 'asc' }
    const { results } = await direct.run(listDistributionFiles, { params: { distributionId }, query: page })
    const file = await run(downloadDistributionFile, { fileId: results[0].id })
    transfers = readRefundFile(file.content).blocks[0]?.transfers ?? []
    assert.equal(transfers.length, 3)
    await burnRedeemed.run(payload(), direct.jobContext)
    assert.deepEqual(await burns(), [], 'a payment that was sent may still be returned')
  })

  test('burns what was debited, once, also if it is returned later and the job runs twice at once', async () => {
    const [first, second] = transfers
    assert.ok(first && second)
    await bank([
      { ...first, isDebit: true },
      { ...second, isDebit: true },
    ])
    await Promise.all([burnRedeemed.run(payload(), direct.jobContext), burnRedeemed.run(payload(), direct.jobContext)])
    assert.equal((await burns()).length, 2)
    await settled.settle()
    assert.deepEqual(await burns(), [{ state: 'FINAL' }, { state: 'FINAL' }])
    assert.equal(await settled.world.supply(), token)
    await bank([{ ...second, returnCode: 'AC04' }])
    await burnRedeemed.run(payload(), direct.jobContext)
    assert.equal((await burns()).length, 2)
    await assert.rejects(run(closeDistribution, { distributionId }), /1 entitlements are sent/)
  })

  test('leaves no supply once all is paid, and is closed when all burns are final', async () => {
    const third = transfers[2]
    assert.ok(third)
    await bank([{ ...third, isDebit: true }])
    await assert.rejects(run(closeDistribution, { distributionId }), /1 burns are not final/)
    await burnRedeemed.run(payload(), direct.jobContext)
    await assert.rejects(run(closeDistribution, { distributionId }), /1 burns are not final/)
    await settled.settle()
    assert.equal(await settled.world.supply(), 0n)
    const { burns: counted } = await run(getDistribution, { distributionId })
    assert.deepEqual(counted, { waiting: 0, done: 3, failed: 0 })
    assert.equal((await run(closeDistribution, { distributionId })).status, 'CLOSED')
  })
})
