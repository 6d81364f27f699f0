import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Party } from '../../test/harness/data/fixtures.ts'
import { assertError } from '../../test/harness/installation/api-client.ts'
import { useWorker } from '../../test/harness/installation/running-installation.ts'
import { setThreshold } from '../../test/harness/installation/test-tenants.ts'
import { DistributionWorld } from '../../test/harness/money/distribution-world.ts'
import { readRefundFile } from '../../test/harness/money/refund-file.ts'
import { pluck } from '../../test/harness/pluck.ts'

const token = 100_000_000n

describe('a distribution pays', async () => {
  const running = await useWorker()
  const { installation } = running
  let world: DistributionWorld
  let ada: Party
  let grace: Party

  beforeEach(async () => {
    world = await DistributionWorld.create(running)
    ada = await world.investor(2n * token)
    grace = await world.investor(token, { lastName: 'Hopper' })
  })

  const post = (path: string, body?: unknown) => world.statements.operator.post(path, body)
  const reject = async ({ accountId }: Party) => {
    const response = await post(`/accounts/${accountId}/decision`, { kyc: 'REJECTED', reason: 'on a sanctions list' })
    assert.equal(response.status, 200, response.text)
  }
  const approved = () => world.approved({ record_at: world.at(30) })
  const entitlementOf = async (id: string, { accountId }: Party) =>
    (await world.entitlements(id)).find((one) => one.account_id === accountId)
  const paidIn = async (fileId = '') =>
    readRefundFile((await world.download(fileId)).text).blocks.flatMap(({ transfers }) =>
      pluck(transfers, 'endToEndId'),
    )
  const hex = ({ id }: { id: string }) => id.replaceAll('-', '')

  test('no account that is unapproved when a file is planned, until two persons release it', async () => {
    const id = await approved()
    await reject(grace)
    const [fileId] = await world.pay(id)
    const [theirs, hers] = [await entitlementOf(id, grace), await entitlementOf(id, ada)]
    assert.deepEqual([theirs.status, theirs.left_out], ['due', 'account_not_approved'])
    assert.deepEqual(await paidIn(fileId), [hex(hers)])
    await setThreshold(installation, world.statements.tenant.id, 'refund_to_changed_account', null)
    // Two persons are needed, whatever the tenant has decided.
    assert.equal((await world.confirm(await post(`/entitlements/${theirs.id}/approve-account`))).status, 200)
    const [next] = await world.pay(id)
    assert.deepEqual(await paidIn(next), [hex(theirs)])
  })

  test('no file if every account of a batch must wait', async () => {
    const id = await approved()
    await reject(ada)
    await reject(grace)
    assert.deepEqual(await world.pay(id), [])
    const theirs = await entitlementOf(id, grace)
    assert.equal((await world.confirm(await post(`/entitlements/${theirs.id}/approve-account`))).status, 200)
    const [fileId] = await world.pay(id)
    assert.deepEqual(await paidIn(fileId), [hex(theirs)])
    const { results } = (await world.statements.operator.get(`/distributions/${id}/files`)).body
    assert.deepEqual(pluck(results, 'number'), [1])
  })

  test('no account that is rejected after its file was planned', async () => {
    const id = await approved()
    const [fileId] = await world.pay(id)
    await reject(grace)
    assert.deepEqual(await paidIn(fileId), [hex(await entitlementOf(id, ada))])
    const theirs = await entitlementOf(id, grace)
    assert.deepEqual([theirs.status, theirs.left_out], ['due', 'account_not_approved'])
  })

  test('no holder while the register differs from the chain, until two persons accept the difference', async () => {
    const setDifference = (reason: string | null) =>
      installation.rows('update cell.offering set minting_stopped = $2 where id = $1', [world.offeringId, reason])
    const difference = `${ada.address} has 200000000 units more on the chain than in the log`
    const id = await world.draft({ record_at: world.at(30) })
    await setDifference(difference)
    const rejected = await post(`/distributions/${id}/calculate`)
    assertError(rejected, 409, 'register_differs')
    assert.match(rejected.body.error.message, /200000000 units more on the chain/)
    await setDifference(null)
    await world.calculate(id)
    await setDifference(difference)
    assertError(await post(`/distributions/${id}/approve`), 409, 'register_differs')
    await setDifference(null)
    await world.approve(id)
    await setDifference(difference)
    assertError(await post(`/distributions/${id}/pay`), 409, 'register_differs')
    await setDifference('its token is paused')
    assert.equal((await post(`/distributions/${id}/pay`)).status, 200)
    await installation.rows(
      `insert into cell.reconciliation (tenant_id, offering_id, compared_at, figures, differences)
         values ($1, $2, now(), '{}', array[$3]) on conflict (tenant_id, offering_id)
         do update set differences = excluded.differences`,
      [world.statements.tenant.id, world.offeringId, difference],
    )
    assertError(await post(`/distributions/${id}/pay`), 409, 'register_differs')
    await installation.rows('update cell.offering set accepted_difference = $2 where id = $1', [
      world.offeringId,
      difference,
    ])
    assert.equal((await post(`/distributions/${id}/pay`)).status, 200)
  })
})
