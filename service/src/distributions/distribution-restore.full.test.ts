import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { assertError } from '../../test/harness/installation/api-client.ts'
import { assertDistributionsAddUp } from '../../test/harness/money/distribution-check.ts'
import { DistributionWorld } from '../../test/harness/money/distribution-world.ts'
import { readRefundFile } from '../../test/harness/money/refund-file.ts'
import { insertPayoutStops } from '../money/payouts/payout-stop.sql.ts'

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const token = 100_000_000n

describe('a distribution after a restore of the database', async () => {
  const world = await DistributionWorld.create()
  after(() => world.end())
  await world.investor(token)
  await world.investor(2n * token, { lastName: 'Hopper' })

  test('pays no investor twice: no later file repeats a payment that the bank has debited', async () => {
    const { statements } = world
    const payOn = day(20)
    const id = await world.approved({ pay_on: payOn })
    const [fileId = ''] = await world.pay(id)
    // Does what `maintain after-restore` does. The database does not know that the file was downloaded after the
    // restored moment.
    await statements.installation.owner(async (client) => {
      await client.query('begin')
      await insertPayoutStops(client, `${day(-1)}T12:00:00Z`)
      await client.query('commit')
    })
    assertError(await world.download(fileId), 409, 'payouts_stopped')
    assertError(await statements.operator.post(`/distributions/${id}/pay`), 409, 'payouts_stopped')
    const [ada] = (await world.entitlements(id)).filter((one) => one.net_amount === '1.00')
    const endToEndId = ada.id.replaceAll('-', '')
    await statements.importEntries([{ amount: '1.00', isDebit: true }], { day: day(-1) })
    assertError(await world.download(fileId), 409, 'payouts_stopped')
    const debit = { amount: '1.00', isDebit: true, endToEndId, bookedOn: payOn }
    const { states } = await statements.importEntries([debit], { day: payOn })
    assert.deepEqual(states, ['refund_settled'])
    const { tenant, installation, operator } = statements
    await assertDistributionsAddUp(installation, tenant.id, 1)
    const file = await operator.download(`/distribution-files/${fileId}/download`)
    assert.equal(file.status, 200, file.text)
    const amounts = readRefundFile(file.text).blocks[0]?.transfers.map(({ amount }) => amount)
    assert.deepEqual(amounts, ['2.00'])
  })
})
